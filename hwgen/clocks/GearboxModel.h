#ifndef ARGENT_HWGEN_CLOCKS_GEARBOX_MODEL_H
#define ARGENT_HWGEN_CLOCKS_GEARBOX_MODEL_H

/** \file
 * The registers of ag_gearbox without its data. A change in the cell is a change here. */

namespace argent::hwgen::clocks {

/** Words of `in` elements to words of `out` elements, rows of `row_elements`. */
struct Gear {
    int in = 1, out = 1;
    long row_elements = 1;
};

class GearboxModel {
public:
    explicit GearboxModel(const Gear &g)
        : in_(g.in), out_(g.out), in_words_((g.row_elements + g.in - 1) / g.in), out_words_((g.row_elements + g.out - 1) / g.out) {}
    bool valid() const { return valid_; }
    bool ready(bool m_ready) const { return !enough() && ((m_ready || !valid_) || (held_ + in_ < out_ && ins_ != in_words_ - 1)); }
    void step(bool s_valid, bool m_ready); // one clock

private:
    bool enough() const { return held_ >= out_ || ins_ == in_words_; }
    int in_, out_;
    long in_words_, out_words_, ins_ = 0, outs_ = 0;
    int held_ = 0; // elements
    bool valid_ = false;
};

} // namespace argent::hwgen::clocks

#endif
