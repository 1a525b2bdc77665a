// Every case in Verilated hardware against Halide's CPU code: all pairs of 8-bit operands; for wider types the bits above
// are corners and seeded random numbers.   operators_run <file.txt> [seed]

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>

#include "Cases.h"
#include "Voperators.h"
#include "verilated.h"

using namespace Halide;

namespace {

constexpr int chunk = 8192, vectors = 65536 + 8192;

struct Vector {
    uint64_t a, b, c;
};

/** The low byte is given; above it corners of every width, or noise. */
uint64_t widen(uint8_t low, std::mt19937_64 &random) {
    uint64_t noise = random();
    switch (random() % 8) {
    case 0: return low;
    case 1: return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int8_t>(low)));
    case 2: return (0x7fff7fff7fff7f00ull | low) ^ ((noise & 1) << 63);
    case 3: return 0x8000800080008000ull | low;
    case 4: return (~0ull >> (noise % 57)) << 8 | low;
    case 5: return 0x7fffffff00000000ull * (noise & 1) | 0xffffff00ull * ((noise >> 1) & 1) | low;
    case 6: return 0x8000000000000000ull * (noise & 1) | 0x80000000ull * ((noise >> 1) & 1) | 0x8000ull * ((noise >> 2) & 1) | low;
    default: return noise << 8 | low;
    }
}

std::vector<Vector> make_vectors(uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Vector> v;
    for (int i = 0; i < vectors; ++i) {
        uint8_t a = i < 65536 ? i & 255 : random(), b = i < 65536 ? i >> 8 : random();
        // Small thirds: they are weights, shift amounts and selectors.
        uint64_t c = random() % 4 == 0 ? random() : widen(random() % 2 ? random() % 40 : random(), random);
        v.push_back({widen(a, random), widen(b, random), c});
    }
    return v;
}

uint64_t element(const Buffer<> &buffer, int i) {
    switch (buffer.type().bits()) {
    case 1: case 8: return static_cast<const uint8_t *>(buffer.data())[i];
    case 16: return static_cast<const uint16_t *>(buffer.data())[i];
    case 32: return static_cast<const uint32_t *>(buffer.data())[i];
    default: return static_cast<const uint64_t *>(buffer.data())[i];
    }
}

void set_element(Buffer<> &buffer, int i, uint64_t value) {
    switch (buffer.type().bits()) {
    case 1: static_cast<uint8_t *>(buffer.data())[i] = value & 1; break;
    case 8: static_cast<uint8_t *>(buffer.data())[i] = static_cast<uint8_t>(value); break;
    case 16: static_cast<uint16_t *>(buffer.data())[i] = static_cast<uint16_t>(value); break;
    case 32: static_cast<uint32_t *>(buffer.data())[i] = static_cast<uint32_t>(value); break;
    default: static_cast<uint64_t *>(buffer.data())[i] = value;
    }
}

/** The CPU's side: many cases in one compiled pipeline. */
struct Golden {
    Pipeline pipeline;
    std::vector<Buffer<>> values, valid;   // per case; valid may be undefined
};

}  // namespace

int main(int argc, char **argv) {
    if (argc < 2) {
        std::cerr << "usage: operators_run <file.txt> [seed]\n";
        return 2;
    }
    const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 20240611;
    Operands operands;
    std::vector<Case> cases = all_cases(operands);
    std::vector<int> latency;
    std::ifstream list(argv[1]);
    int longest = 0;
    for (const Case &c : cases) {
        std::string name;
        int clocks = 0;
        list >> name >> clocks;
        if (name != c.name) {
            std::cerr << "the list has " << name << " where the cases have " << c.name << "\n";
            return 2;
        }
        latency.push_back(clocks);
        longest = std::max(longest, clocks);
    }

    auto seconds = [start = std::chrono::steady_clock::now()] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const Target target = get_host_target().with_feature(Target::StrictFloat).with_feature(Target::NoAsserts).with_feature(Target::NoBoundsQuery);
    std::map<std::pair<char, std::string>, Buffer<>> inputs;
    for (auto &[key, image] : operands.images) {
        inputs[key] = Buffer<>(image.type(), std::vector<int>{chunk});
        image.set(inputs[key]);
    }
    const size_t per_pipeline = 32;
    std::vector<Golden> golden;
    for (size_t first = 0; first < cases.size(); first += per_pipeline) {
        Golden g;
        std::vector<Expr> outputs;
        for (size_t i = first; i < std::min(cases.size(), first + per_pipeline); ++i) {
            auto output = [&](const Expr &e) {
                outputs.push_back(e);
                return Buffer<>(e.type(), std::vector<int>{chunk});
            };
            g.values.push_back(output(cases[i].value));
            g.valid.push_back(cases[i].valid.defined() ? output(cases[i].valid) : Buffer<>());
        }
        // One loop for all of them: that is what LLVM compiles fastest. Scalar and vector code of Halide differ inside and
        // must agree, so some of it is vectorized.
        Func f("golden");
        f(operands.x) = Tuple(outputs);
        if (first / per_pipeline % 8 == 7) f.vectorize(operands.x, 16);
        g.pipeline = Pipeline(f);
        g.pipeline.compile_jit(target);
        golden.push_back(std::move(g));
    }
    const double compiled = seconds();
    std::cout << "CPU code compiled in " << compiled << " s" << std::endl;

    const std::vector<Vector> all = make_vectors(seed);
    VerilatedContext context;
    Voperators top(&context);
    const QData *const out[] = {
#include "operators.inc"
    };
    std::vector<uint64_t> compared(cases.size(), 0), wrong(cases.size(), 0);
    int messages = 0;
    for (int base = 0; base < vectors; base += chunk) {
        for (auto &[key, buffer] : inputs) {
            for (int i = 0; i < chunk; ++i) {
                const Vector &v = all[base + i];
                set_element(buffer, i, key.first == 'a' ? v.a : key.first == 'b' ? v.b : v.c);
            }
        }
        for (Golden &g : golden) {
            std::vector<Buffer<>> outputs;
            for (size_t i = 0; i < g.values.size(); ++i) {
                outputs.push_back(g.values[i]);
                if (g.valid[i].defined()) outputs.push_back(g.valid[i]);
            }
            g.pipeline.realize(Realization(outputs), target);
        }
        for (int clock = 0; clock < chunk + longest; ++clock) {
            const Vector &v = all[base + std::min(clock, chunk - 1)];
            top.a = v.a, top.b = v.b, top.c = v.c;
            top.clk = 0;
            top.eval();
            for (size_t i = 0; i < cases.size(); ++i) {
                const int at = clock - latency[i];
                if (at < 0 || at >= chunk) continue;
                const Golden &g = golden[i / per_pipeline];
                const size_t k = i % per_pipeline;
                if (g.valid[k].defined() && element(g.valid[k], at) == 0) continue;
                const int bits = g.values[k].type().bits();
                const uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
                const uint64_t expected = element(g.values[k], at) & mask;
                const uint64_t got = *out[i] & mask;
                ++compared[i];
                if (got == expected) continue;
                if (wrong[i]++ == 0 && messages++ < 40) {
                    const Vector &w = all[base + at];
                    std::cerr << cases[i].name << ": hardware " << std::hex << got << ", CPU " << expected << " for a " << w.a << ", b "
                              << w.b << ", c " << w.c << std::dec << "\n";
                }
            }
            top.clk = 1;
            top.eval();
        }
    }
    int bad = 0, empty = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < cases.size(); ++i) {
        bad += wrong[i] > 0;
        total += compared[i];
        if (compared[i] < 100) {
            std::cerr << cases[i].name << ": only " << compared[i] << " operands for which Halide defines a result\n";
            ++empty;
        }
    }
    std::cout << cases.size() << " cases, " << total << " results compared, " << bad << " cases differ; seed " << seed << ", CPU compiled in "
              << compiled << " s, all " << seconds() << " s\n";
    return bad || empty ? 1 : 0;
}
