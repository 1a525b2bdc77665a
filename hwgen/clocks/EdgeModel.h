#ifndef ARGENT_HWGEN_CLOCKS_EDGE_MODEL_H
#define ARGENT_HWGEN_CLOCKS_EDGE_MODEL_H

/** \file
 * The registers of ag_pad, ag_fold and ag_skip, which stand between a memory port and the core, without their data. */

#include <cstdint>

namespace argent::hwgen::clocks {

/** The arguments of ag_pad. */
struct Padding {
    bool exists = false;
    long left = 0, vectors = 1;         // elements, vectors of a padded row
    long top = 0, padded_rows = 1;
};

class PadModel {
public:
    PadModel(const Padding &p, long elements, long rows, int lanes);
    bool valid() const { return valid_; }
    bool takes(bool ready) const { return running_ && room(ready) && ahead_ == 0 && needs(); }
    void step(bool source_valid, bool ready);   // one clock, from the one after start on

private:
    bool room(bool ready) const { return ready || !valid_; }
    bool needs() const { return is_new_ && taken_ != vectors_in_; }
    void begin_row();
    Padding p_;
    long rows_, vectors_in_, before_;
    long ahead_ = 0, taken_ = 0, vector_ = 0, row_ = 0;
    bool running_ = true, is_new_ = true, valid_ = false;
};

/** The arguments of ag_fold that its clocks depend on. */
struct Folding {
    bool exists = false;
    long vectors = 1;                   // of a row that goes out
};

class FoldModel {
public:
    FoldModel(const Folding &f, long elements, int lanes);
    bool valid() const { return valid_; }
    bool ready() const { return !full_[in_row_]; }
    void step(bool source_valid, bool ready);   // one clock, from the one after start on

private:
    long vectors_in_, vectors_out_;
    long in_at_ = 0, vector_ = 0;
    int preparing_;
    bool full_[2] = {}, in_row_ = false, out_row_ = false, valid_ = false;
};

/** The arguments of ag_legs: addresses in bytes. */
struct Legs {
    bool exists = false;
    uint64_t start_address = 0, forth_address = 0, back_address = 0;
    long first_rows = 1, leg_rows = 1, rows = 1;
    bool mirrors = false, first_back = false;
};

class SkipModel {
public:
    SkipModel(long skip, long elements, int lanes);
    /** What the cell says to the side that gives and to the side that takes. */
    bool ready(bool sink_ready) const { return fill() || sink_ready; }
    bool valid(bool source_valid) const { return !fill() && (source_valid || flush()); }
    void step(bool source_valid, bool sink_ready);

private:
    bool fill() const { return shifts_ && !has_kept_; }
    bool row_end() const { return sent_ == out_last_; }
    bool flush() const { return has_kept_ && row_end() && in_last_ == out_last_; }
    bool shifts_;
    long out_last_, in_last_;
    long sent_ = 0;
    bool has_kept_ = false;
};

}  // namespace argent::hwgen::clocks

#endif
