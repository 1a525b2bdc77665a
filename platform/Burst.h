#ifndef ARGENT_PLATFORM_BURST_H
#define ARGENT_PLATFORM_BURST_H

#include <memory>
#include <tlm>
#include <vector>

namespace argent::platform {

/** A transaction for one burst of a memory port. It carries address, direction, length and, in the phases, time; no data: the images are the
 *  host's own memory, where the port has copied every beat itself (sim/Ports.h), so the data pointer is null. */
class Burst : public tlm::tlm_generic_payload {
public:
    unsigned port = 0;  // of the accelerator
    unsigned beats = 0;
    uint64_t life = 0;  // of the accelerator, see Accelerator::life
};

/** Where bursts come from and go to. */
class BurstPool : public tlm::tlm_mm_interface {
public:
    /** With a reference count of 1. */
    Burst &take() {
        if (idle.empty()) {
            all.push_back(std::make_unique<Burst>());
            all.back()->set_mm(this);
            idle.push_back(all.back().get());
        }
        Burst &b = *idle.back();
        idle.pop_back();
        b.acquire();
        b.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        return b;
    }
    void free(tlm::tlm_generic_payload *burst) override { idle.push_back(static_cast<Burst *>(burst)); }

private:
    std::vector<std::unique_ptr<Burst>> all;
    std::vector<Burst *> idle;
};

}  // namespace argent::platform

#endif
