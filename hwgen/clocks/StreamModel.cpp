#include "StreamModel.h"

#include "ReferenceMemory.h"

namespace argent::hwgen::clocks {

void SourceModel::step(bool ready) {
    const bool emit = (ready || !valid_) && fifo_ != 0 && to_give_ != 0;
    const bool push = now_ >= READ_LATENCY && to_send_ != 0 && fifo_ != fifo_size_;
    if (ready || !valid_) {
        valid_ = emit;
    }
    fifo_ += push - emit;
    to_give_ -= emit;
    to_send_ -= push;
    beats_ += push;
    ++now_;
}

void SinkModel::step(bool valid) {
    beats_ += valid_;
    valid_ = valid;
    to_take_ -= valid;
}

} // namespace argent::hwgen::clocks
