// argent_memory.h: the allocator of shared memory.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <vector>

#include "argent_memory.h"

TEST_CASE("an allocation lies in a segment that cannot shrink") {
    auto *p = static_cast<uint8_t *>(argent_memory_allocate(ARGENT_MEMORY_SHARED, 1000));
    REQUIRE(p != nullptr);
    CHECK(reinterpret_cast<uintptr_t>(p) % 128 == 0);
    argent_memory_place place{};
    REQUIRE(argent_memory_find(p + 10, 990, &place) == 1);
    CHECK(place.offset % 128 == 10);
    CHECK(ftruncate(place.fd, 0) == -1);
    // The descriptor leads to the same bytes.
    std::memset(p, 7, 1000);
    auto *again = static_cast<uint8_t *>(mmap(nullptr, place.segment_bytes, PROT_READ, MAP_SHARED, place.fd, 0));
    REQUIRE(again != MAP_FAILED);
    CHECK(again[place.offset] == 7);
    munmap(again, place.segment_bytes);
    CHECK(argent_memory_free(p) == 1);
}

TEST_CASE("what is no shared memory is not found") {
    argent_memory_place place{};
    int other = 0;
    CHECK(argent_memory_find(&other, sizeof other, &place) == 0);
    CHECK(argent_memory_free(&other) == 0);
    auto *p = static_cast<uint8_t *>(argent_memory_allocate(ARGENT_MEMORY_SHARED, 256));
    CHECK(argent_memory_find(p, size_t(1) << 30, &place) == 0);  // begins in it, ends beyond
    CHECK(argent_memory_free(p + 128) == 0);                     // in the middle of an allocation
    CHECK(argent_memory_free(p) == 1);
    CHECK(argent_memory_free(p) == 0);  // twice
}

TEST_CASE("sizes that no memory has") {
    CHECK(argent_memory_allocate(ARGENT_MEMORY_SHARED, SIZE_MAX) == nullptr);
    CHECK(argent_memory_allocate(ARGENT_MEMORY_SHARED, SIZE_MAX - 4095) == nullptr);
}

TEST_CASE("allocations do not overlap, and freed memory is used again") {
    std::mt19937 random(1);
    std::vector<std::pair<uint8_t *, size_t>> live;
    argent_memory_place place{};
    uint32_t segments = 0;
    for (int i = 0; i < 3000; i++) {
        if (live.size() > 40 || (!live.empty() && random() % 3 == 0)) {
            size_t k = random() % live.size();
            for (size_t b = 0; b < live[k].second; b += 97) REQUIRE(live[k].first[b] == uint8_t(live[k].second));
            REQUIRE(argent_memory_free(live[k].first) == 1);
            live.erase(live.begin() + long(k));
        } else {
            size_t bytes = 1 + random() % 200000;
            auto *p = static_cast<uint8_t *>(argent_memory_allocate(ARGENT_MEMORY_SHARED, bytes));
            REQUIRE(p != nullptr);
            std::memset(p, int(uint8_t(bytes)), bytes);
            live.emplace_back(p, bytes);
            REQUIRE(argent_memory_find(p, bytes, &place) == 1);
            segments = std::max(segments, place.segment);
        }
    }
    for (auto &l : live) CHECK(argent_memory_free(l.first) == 1);
    CHECK(segments <= 1);  // 40 live ones have at most 8 MB
    // All of it is one block again: it fits where the first one was.
    void *whole = argent_memory_allocate(ARGENT_MEMORY_SHARED, size_t(32) << 20);
    CHECK(argent_memory_find(whole, 1, &place) == 1);
    CHECK(place.segment <= 1);
    CHECK(argent_memory_free(whole) == 1);
}

TEST_CASE("a pool of memory that is there already") {
    alignas(4096) static uint8_t there[8192];
    int pool = argent_memory_adopt(there, sizeof there);
    REQUIRE(pool > 0);
    void *a = argent_memory_allocate(pool, 4096), *b = argent_memory_allocate(pool, 4096);
    CHECK(a == there);
    CHECK(b == there + 4096);
    CHECK(argent_memory_allocate(pool, 1) == nullptr);  // it does not grow
    argent_memory_place place{};
    CHECK(argent_memory_find(there + 5000, 10, &place) == 1);
    CHECK(place.pool == pool);
    CHECK(place.offset == 5000);
    CHECK(argent_memory_free(a) == 1);
    CHECK(argent_memory_free(b) == 1);
    void *shared = argent_memory_allocate(ARGENT_MEMORY_SHARED, 4096);  // of another pool
    CHECK(argent_memory_find(shared, 4096, &place) == 1);
    CHECK(place.pool == ARGENT_MEMORY_SHARED);
    CHECK(argent_memory_free(shared) == 1);
}
