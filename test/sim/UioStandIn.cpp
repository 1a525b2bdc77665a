#include "UioStandIn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "argent_memory.h"
#include "argent_remote.h"
#include "argent_uio.h"

namespace fs = std::filesystem;

namespace {

UioStandIn *now = nullptr;

const char *const sync_files[5] = {"sync_offset", "sync_size", "sync_direction", "sync_for_cpu", "sync_for_device"};
const char *const buffer_folder = "/sys/class/u-dma-buf/udmabuf0/";

void must(bool good, const char *what) {
    if (!good) throw std::runtime_error(what);
}

}  // namespace

struct StandInAccess {
    static uint32_t load(volatile const uint32_t *at) { return now->load(at); }
    static void store(volatile uint32_t *at, uint32_t value) {
        *at = value;
        now->store(at);
    }
    static int sync(int dmabuf, uint64_t flags) { return now->synchronise(dmabuf, flags); }
    static int page_entries(int, uint64_t page, uint64_t *entries, size_t n) {
        if (!now->page_entry) return errno = EIO, -1;
        if (now->first_page == 0) now->first_page = page;
        for (size_t i = 0; i < n; i++) entries[i] = now->page_entry(page + i - now->first_page);
        return 0;
    }
};

UioStandIn::UioStandIn(bool coherent, const char *accelerator) : coherent(coherent) {
    const char *uri = getenv("ARGENT_DEVICE");
    must(uri != nullptr && std::strncmp(uri, "sim+unix:", 9) == 0, "the stand-in wants a simulator server in ARGENT_DEVICE");
    argent_sim_get(&settings);
    argent_sim_settings fabric_settings = settings;
    fabric_settings.watchdog = 0;  // nobody on a board ends a launch that hangs
    must(argent_sim_set(&fabric_settings) == ARGENT_OK, "argent_sim_set");
    char text[512] = "";
    const argent_backend *fabric = argent_remote_backend();
    must(fabric->open(uri + 9, accelerator, &fabric_state, text, sizeof text) == ARGENT_OK, text);
    device_memory = static_cast<uint8_t *>(argent_memory_allocate(ARGENT_MEMORY_SHARED, memory_bytes));
    must(device_memory != nullptr, "no memory");
    must(fabric->map(fabric_state, device_memory, memory_bytes, ARGENT_READ | ARGENT_WRITE, &bus_address) == ARGENT_OK, "map");
    argent_memory_place place;
    must(argent_memory_find(device_memory, memory_bytes, &place) != 0 && place.offset == 0, "a segment of its own");
    processor_fd = coherent ? dup(place.fd) : memfd_create("processor", MFD_CLOEXEC);
    must(coherent || ftruncate(processor_fd, memory_bytes) == 0, "ftruncate");
    processor_memory = static_cast<uint8_t *>(mmap(nullptr, memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, processor_fd, 0));
    if (!coherent) std::memset(device_memory, 0xdd, memory_bytes);

    char folder[] = "/tmp/argent-board-XXXXXX";
    must(mkdtemp(folder) != nullptr, "mkdtemp");
    root = folder;
    make_files();
    now = this;
    static const argent_uio_access access = {StandInAccess::load, StandInAccess::store, StandInAccess::sync, StandInAccess::page_entries};
    argent_uio_set_access(&access);
    setenv("ARGENT_UIO_ROOT", root.c_str(), 1);
    watcher = std::thread([this] { watch_interrupt(); });
}

UioStandIn::~UioStandIn() {
    ending = true;
    watcher.join();
    argent_uio_set_access(nullptr);
    unsetenv("ARGENT_UIO_ROOT");
    now = nullptr;
    argent_remote_backend()->close(fabric_state);
    argent_sim_set(&settings);
    for (Dmabuf &d : dmabufs) {
        argent_release_dmabuf(d.fabric);
        close(d.fd);
    }
    argent_memory_free(device_memory);
    munmap(processor_memory, memory_bytes);
    munmap(const_cast<uint32_t *>(page), 4096);
    for (int fd : {processor_fd, terminal, files[0], files[1], files[2], files[3], files[4]})
        if (fd >= 0) close(fd);
    fs::remove_all(root);
}

void UioStandIn::write(const std::string &path, const std::string &text) const {
    fs::create_directories(fs::path(root + path).parent_path());
    std::ofstream(root + path) << text;
}

void UioStandIn::remove(const std::string &path) const { fs::remove(root + path); }

void UioStandIn::make_files() {
    write("/dev/uio0", std::string(4096, '\0'));
    write("/proc/self/pagemap", "");
    write("/sys/class/uio/uio0/maps/map0/size", "0x1000\n");
    write(std::string(buffer_folder) + "size", std::to_string(memory_bytes) + "\n");
    std::ostringstream address;
    address << "0x" << std::hex << bus_address << "\n";
    write(std::string(buffer_folder) + "phys_addr", address.str());
    write(std::string(buffer_folder) + "dma_coherent", coherent ? "1\n" : "0\n");
    for (int i = 0; i < 5; i++) {
        std::string file = root + buffer_folder + sync_files[i];
        must(mkfifo(file.c_str(), 0600) == 0, "mkfifo");
        files[i] = open(file.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    }
    fs::create_symlink("/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(processor_fd), root + "/dev/udmabuf0");
    int registers = open((root + "/dev/uio0").c_str(), O_RDWR | O_CLOEXEC);
    page = static_cast<volatile uint32_t *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, registers, 0));
    close(registers);

    terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    must(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0, "posix_openpt");
    std::string slave = ptsname(terminal);
    int fd = open(slave.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    termios raw{};
    tcgetattr(fd, &raw);
    cfmakeraw(&raw);
    tcsetattr(fd, TCSANOW, &raw);
    close(fd);
    fs::create_symlink(slave, root + "/dev/uio0.irq");
}

UioStandIn::Dmabuf &UioStandIn::make_dmabuf(size_t bytes, const std::string &exporter) {
    Dmabuf &d = dmabufs.emplace_back();
    first_page = 0;
    d.bytes = bytes;
    int fabric_fd = memfd_create("dmabuf", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    must(ftruncate(fabric_fd, off_t(bytes)) == 0, "ftruncate");
    void *host = nullptr;
    must(argent_import_dmabuf(nullptr, fabric_fd, bytes, ARGENT_ADDRESS_UNKNOWN, &host) == ARGENT_OK, argent_open_text());
    d.fabric = static_cast<uint8_t *>(host);
    must(argent_remote_backend()->map(fabric_state, host, bytes, ARGENT_READ | ARGENT_WRITE, &d.bus_address) == ARGENT_OK, "map");
    d.fd = coherent ? fabric_fd : memfd_create("dmabuf", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (!coherent) {
        must(ftruncate(d.fd, off_t(bytes)) == 0, "ftruncate");
        close(fabric_fd);
    }
    write("/proc/self/fdinfo/" + std::to_string(d.fd), "pos:\t0\nflags:\t02\nsize:\t" + std::to_string(bytes) + "\ncount:\t2\nexp_name:\t" + exporter + "\n");
    return d;
}

int UioStandIn::synchronise(int dmabuf, uint64_t flags) {
    std::lock_guard<std::mutex> hold(lock);
    struct stat wanted {}, one {};
    fstat(dmabuf, &wanted);
    for (Dmabuf &d : dmabufs) {
        fstat(d.fd, &one);
        if (one.st_ino != wanted.st_ino) continue;
        if (d.fails != 0) return errno = d.fails, -1;
        const bool ends = (flags & DMA_BUF_SYNC_END) != 0;
        d.syncs[ends ? 0 : 1]++;
        std::vector<uint8_t> all(d.bytes);
        if (coherent) return 0;
        if (ends && (flags & DMA_BUF_SYNC_WRITE) != 0 && pread(d.fd, all.data(), d.bytes, 0) == ssize_t(d.bytes)) std::memcpy(d.fabric, all.data(), d.bytes);
        if (!ends && (flags & DMA_BUF_SYNC_READ) != 0) return pwrite(d.fd, d.fabric, d.bytes, 0) == ssize_t(d.bytes) ? 0 : -1;
        return 0;
    }
    return errno = ENOTTY, -1;
}

void UioStandIn::unplug_interrupt() {
    std::lock_guard<std::mutex> hold(lock);
    close(terminal);
    terminal = -1;
}

uint32_t UioStandIn::load(volatile const uint32_t *at) {
    std::lock_guard<std::mutex> hold(lock);
    synchronise();
    uint32_t offset = uint32_t(reinterpret_cast<uintptr_t>(at) % 4096), value = 0;
    if (argent_remote_backend()->read(fabric_state, offset, &value) != ARGENT_OK) {
        fprintf(stderr, "the stand-in's fabric: %s\n", argent_remote_backend()->text(fabric_state));
        value = UINT32_MAX;
    }
    if (offset == ARGENT_CONTROL && hurries) hurry(value);
    if (!fabric) value = UINT32_MAX;
    page[offset / 4] = value;
    return *at;
}

void UioStandIn::hurry(uint32_t control) {
    const uint32_t ends = control >> ARGENT_CONTROL_ENDED & 255;
    const bool news = ends != ends_seen;
    ends_seen = ends;
    while (news && (control & ARGENT_CONTROL_IDLE) == 0) {
        argent_remote_backend()->wait(fabric_state, 200);
        must(argent_remote_backend()->read(fabric_state, ARGENT_CONTROL, &control) == ARGENT_OK, "read");
    }
}

void UioStandIn::store(volatile uint32_t *at) {
    std::lock_guard<std::mutex> hold(lock);
    synchronise();
    uint32_t offset = uint32_t(reinterpret_cast<uintptr_t>(at) % 4096);
    if (offset == ARGENT_CONTROL) {
        // The simulation checks what the fabric may touch; a board has nothing like it: all of its memory.
        argent_command all{};
        argent_remote_backend()->arm(fabric_state, &all);
    }
    argent_remote_backend()->write(fabric_state, offset, page[offset / 4]);
}

void UioStandIn::synchronise() {
    std::vector<uint64_t> numbers[5];
    for (int i = 0; i < 5; i++) {
        char text[4096];
        ssize_t n = ::read(files[i], text, sizeof text);
        if (n <= 0) continue;
        std::istringstream words(std::string(text, size_t(n)));
        for (uint64_t v; words >> v;) numbers[i].push_back(v);
    }
    // The device's turn ends with an access to a register: what stands here for the processor came before what stands here for the device.
    for (size_t k = 0; k < numbers[0].size() && !coherent; k++) {
        const bool for_device = k >= numbers[3].size();
        uint64_t offset = numbers[0].at(k), size = numbers[1].at(k), direction = numbers[2].at(k);
        must(offset + size <= memory_bytes && offset % 64 == 0 && size % 64 == 0 && direction <= 2, "sync of what is not there");
        if (for_device && direction != 2) std::memcpy(device_memory + offset, processor_memory + offset, size);
        if (!for_device && direction != 1) std::memcpy(processor_memory + offset, device_memory + offset, size);
    }
}

void UioStandIn::watch_interrupt() {
    bool enabled = false;
    while (!ending) {
        std::unique_lock<std::mutex> hold(lock);
        pollfd wanted = {terminal, POLLIN, 0};
        uint32_t word = 0, status = 0;
        if (terminal >= 0 && poll(&wanted, 1, 0) > 0 && (wanted.revents & POLLIN) != 0 && ::read(terminal, &word, sizeof word) == sizeof word)
            enabled = word == 1;
        uint32_t control = ARGENT_CONTROL_IDLE;
        argent_remote_backend()->read(fabric_state, ARGENT_CONTROL, &control);
        // The fabric's time goes by. Not before the interrupt is turned on: a short launch would have ended by then, and whether one is raised
        // would depend on who looks first.
        if ((control & ARGENT_CONTROL_IDLE) == 0 && (enabled || !interrupts)) argent_remote_backend()->wait(fabric_state, 200);
        if (enabled && interrupts && terminal >= 0) {
            argent_remote_backend()->read(fabric_state, ARGENT_INTERRUPT_STATUS, &status);
            if ((status & 1) != 0 || (spurious > 0 && (control & ARGENT_CONTROL_IDLE) == 0)) {
                if ((status & 1) == 0) spurious--;
                enabled = false;
                word = uint32_t(++raised);
                (void)!::write(terminal, &word, sizeof word);
            }
        }
        hold.unlock();
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
}
