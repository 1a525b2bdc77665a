#ifndef ARGENT_TEST_UIO_STAND_IN_H
#define ARGENT_TEST_UIO_STAND_IN_H

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "argent_sim.h"

/** A board: below a folder of its own, /dev/uio0, its interrupt /dev/uio0.irq, /dev/udmabuf0, and what sysfs says of them, with the simulator server
 *  of ARGENT_DEVICE as fabric. There is one at a time.
 *
 *  Registers are a page that is really mapped: a store in it is passed on to the simulation, a load is preceded by asking it. Interrupts are
 *  four bytes that a terminal's slave gives to a blocking read. Without coherence the processor's view of the memory and the device's are two
 *  memories, and only the sync_* files carry bytes from one to the other. */
class UioStandIn {
public:
    explicit UioStandIn(bool coherent, const char *accelerator = "increment");
    ~UioStandIn();
    UioStandIn(const UioStandIn &) = delete;

    std::string uri() const { return "uio:/dev/uio0,interrupt=/dev/uio0.irq"; }
    void write(const std::string &path, const std::string &text) const;
    void remove(const std::string &path) const;

    std::atomic<bool> interrupts{true};   // false: they are lost
    std::atomic<bool> fabric{true};       // false: every register reads as ones
    std::atomic<bool> hurries{false};     // right behind a look that shows the end of a launch the others end, too
    std::atomic<int> spurious{0};         // interrupts to come that mean nothing
    std::atomic<int> raised{0};           // interrupts so far
    void unplug_interrupt();

    /** Another driver's memory: what the program has of it, and where the fabric sees it. Without coherence these are two memories, too, and only the
     *  ioctl DMA_BUF_IOCTL_SYNC carries bytes from one to the other. */
    struct Dmabuf {
        int fd = -1;
        uint64_t bus_address = 0;
        uint8_t *fabric = nullptr;      // its view
        size_t bytes = 0;
        int syncs[2] = {0, 0};          // END (for the device), START (for the processor)
        int fails = 0;                  // errno of the ioctl
    };
    Dmabuf &make_dmabuf(size_t bytes, const std::string &exporter);
    /** What the kernel says of the n-th page that is asked for; as /proc/self/pagemap. */
    std::function<uint64_t(uint64_t)> page_entry;
    static constexpr size_t memory_bytes = size_t(40) << 20;

private:
    friend struct StandInAccess;
    uint32_t load(volatile const uint32_t *at);
    void store(volatile uint32_t *at);
    void hurry(uint32_t control);
    /** Carries out what was written to the sync_* files since the last time. */
    void synchronise();
    int synchronise(int dmabuf, uint64_t flags);
    void watch_interrupt();
    void make_files();

    bool coherent;
    argent_sim_settings settings{};       // of the simulation, before
    std::string root;
    void *fabric_state = nullptr;         // of the backend sim+unix
    std::mutex lock;                      // of fabric_state
    uint8_t *device_memory = nullptr, *processor_memory = nullptr;
    int processor_fd = -1;
    uint64_t bus_address = 0;
    volatile uint32_t *page = nullptr;
    std::deque<Dmabuf> dmabufs;
    uint32_t ends_seen = 0;               // in the control register, by `load`
    uint64_t first_page = 0;              // of those that are asked for
    int terminal = -1;
    int files[5] = {-1, -1, -1, -1, -1};  // sync_offset, sync_size, sync_direction, sync_for_cpu, sync_for_device
    std::atomic<bool> ending{false};
    std::thread watcher;
};

#endif
