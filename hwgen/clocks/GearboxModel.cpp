#include "GearboxModel.h"

namespace argent::hwgen::clocks {

void GearboxModel::step(bool s_valid, bool m_ready) {
    const bool room = m_ready || !valid_;
    const bool take = s_valid && ready(m_ready);
    const bool emit = room && (enough() || (s_valid && (held_ + in_ >= out_ || ins_ == in_words_ - 1)));
    held_ += (take ? in_ : 0) - (emit ? out_ : 0);
    ins_ += take;
    outs_ += emit;
    if (room) {
        valid_ = emit;
    }
    if (emit && outs_ == out_words_) {
        ins_ = outs_ = 0;
        held_ = 0;
    }
}

} // namespace argent::hwgen::clocks
