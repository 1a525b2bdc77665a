#include "EdgeModel.h"

namespace argent::hwgen::clocks {

PadModel::PadModel(const Padding &p, long elements, long rows, int lanes)
    : p_(p), rows_(rows), vectors_in_((elements + lanes - 1) / lanes), before_(p.left / lanes) {
    begin_row();
}

void PadModel::begin_row() {
    ahead_ = before_;
    taken_ = vector_ = 0;
}

void PadModel::step(bool source_valid, bool ready) {
    const bool go = running_ && room(ready) && (source_valid || !needs());
    const bool taken = go && ahead_ == 0 && needs();
    if (room(ready)) valid_ = go;
    if (!go) return;
    taken_ += taken;
    if (ahead_ > 0) --ahead_;
    if (++vector_ < p_.vectors) return;
    ++row_;
    is_new_ = row_ > p_.top && row_ < p_.top + rows_;
    running_ = row_ < p_.padded_rows;
    begin_row();
}

FoldModel::FoldModel(const Folding &f, long elements, int lanes)
    : vectors_in_((elements + lanes - 1) / lanes), vectors_out_(f.vectors), preparing_(lanes == 1 ? 0 : lanes) {}

void FoldModel::step(bool source_valid, bool sink_ready) {
    const bool takes = source_valid && ready(), room = sink_ready || !valid_;
    const bool go = full_[out_row_] && preparing_ == 0 && room;
    if (room) valid_ = go;
    if (preparing_ > 0) --preparing_;
    if (takes && ++in_at_ == vectors_in_) {
        in_at_ = 0;
        full_[in_row_] = true;
        in_row_ = !in_row_;
    }
    if (go && ++vector_ == vectors_out_) {
        vector_ = 0;
        full_[out_row_] = false;
        out_row_ = !out_row_;
    }
}

SkipModel::SkipModel(long skip, long elements, int lanes)
    : shifts_(skip != 0), out_last_((elements - 1) / lanes), in_last_((elements - 1 + skip) / lanes) {}

void SkipModel::step(bool source_valid, bool sink_ready) {
    const bool sends = valid(source_valid) && sink_ready, takes = source_valid && ready(sink_ready);
    const bool ends = sends && row_end(), stays = flush() && takes;
    if (sends) sent_ = row_end() ? 0 : sent_ + 1;
    has_kept_ = (has_kept_ || (takes && shifts_)) && !(ends && !stays);
}

}  // namespace argent::hwgen::clocks
