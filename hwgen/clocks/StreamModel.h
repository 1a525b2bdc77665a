#ifndef ARGENT_HWGEN_CLOCKS_STREAM_MODEL_H
#define ARGENT_HWGEN_CLOCKS_STREAM_MODEL_H

/** \file
 * The registers of ag_axis_in and ag_axis_out without their data, and the reference DMA at the other end of the stream
 * (ReferenceMemory.h). A change in a cell is a change here. */

namespace argent::hwgen::clocks {

/** Vectors of a row and rows of a frame. */
struct Frame {
    long columns = 1, rows = 1;
    long vectors() const { return columns * rows; }
};

/** ag_axis_in, fed by the reference DMA. */
class SourceModel {
public:
    SourceModel(const Frame &frame, int fifo) : to_send_(frame.vectors()), to_give_(frame.vectors()), fifo_size_(fifo) {}
    bool valid() const { return valid_; }
    long beats() const { return beats_; }
    void step(bool ready); // one clock, from the one after start on

private:
    long to_send_; // by the DMA
    long to_give_; // to the core
    int fifo_size_, fifo_ = 0;
    long now_ = 1, beats_ = 0;
    bool valid_ = false;
};

/** ag_axis_out; the reference DMA takes a vector in every clock. */
class SinkModel {
public:
    explicit SinkModel(const Frame &frame) : to_take_(frame.vectors()) {}
    bool ready() const { return true; }
    bool busy() const { return to_take_ != 0 || valid_; }
    long beats() const { return beats_; }
    void step(bool valid); // one clock, from the one after start on

private:
    long to_take_, beats_ = 0;
    bool valid_ = false;
};

} // namespace argent::hwgen::clocks

#endif
