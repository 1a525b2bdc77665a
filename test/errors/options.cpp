#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), z("z");

/** padded -> gained -> blurred -> out, and gained -> out. RVars r.x, r.y of 3 values each. */
struct Filter {
    Func padded = host_image("padded"), gained{"gained"}, blurred{"blurred"}, out{"out"}, other = host_image("other");
    RDom r{-1, 3, -1, 3, "r"};
    Filter() {
        gained(x, y) = cast<uint16_t>(padded(x, y)) * padded(x, y);
        blurred(x, y) = cast<uint32_t>(0);
        blurred(x, y) += cast<uint32_t>(gained(x + r.x, y + r.y));
        out(x, y) = blurred(x, y) / 9 + gained(x, y);
        blurred.compute_root();
        gained.compute_root();
    }
    argent::Accelerator accelerate() { return argent::accelerate(out, {padded}); }
    argent::Accelerator with_block() { return accelerate().block({{x, 64}, {y, 32}}); }
};

}  // namespace

TEST_CASE("an unknown board") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.board("pynq-z3"); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: board(\"pynq-z3\"): there is no board of this name\n"
          "@A: note: there are pynq-z2, ulx3s and zcu104\n");
}

TEST_CASE("board twice") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.board("pynq-z2"); HERE('A');
        a.board("ulx3s"); HERE('B');
        return f.out;
    });
    CHECK(text ==
          "@B: error: board(\"ulx3s\"): the board is given already at @A, as board(\"pynq-z2\")\n"
          "@B: note: keep one of the two\n");
}

TEST_CASE("a clock of 0") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.clock(0); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: clock(0): the clock has to be above 0 MHz\n"
          "@A: note: leave it out for the board's 150 MHz\n");
}

TEST_CASE("a negative clock on another board") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.board("ulx3s"); HERE('A');
        a.clock(-12.5); HERE('B');
        return f.out;
    });
    CHECK(text ==
          "@B: error: clock(-12.5): the clock has to be above 0 MHz\n"
          "@B: note: leave it out for the board's 80 MHz\n");
}

TEST_CASE("clock twice") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.clock(100); HERE('A');
        a.clock(200); HERE('B');
        return f.out;
    });
    CHECK(text ==
          "@B: error: clock(200): the clock is given already at @A, as clock(100)\n"
          "@B: note: keep one of the two\n");
}

TEST_CASE("the name '3x3'") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.name("3x3"); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: name(\"3x3\"): \"3x3\" is no C identifier\n"
          "@A: note: begin with a letter, and go on with letters, digits and _\n");
}

TEST_CASE("the name ''") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.name(""); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: name(\"\"): \"\" is no C identifier\n"
          "@A: note: begin with a letter, and go on with letters, digits and _\n");
}

TEST_CASE("the name 'a-b'") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.name("a-b"); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: name(\"a-b\"): \"a-b\" is no C identifier\n"
          "@A: note: begin with a letter, and go on with letters, digits and _\n");
}

TEST_CASE("the name module") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.name("module"); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: name(\"module\"): \"module\" is a keyword of Verilog\n"
          "@A: note: take another name\n");
}

TEST_CASE("the name double") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.name("double"); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: name(\"double\"): \"double\" is a keyword of C\n"
          "@A: note: take another name\n");
}

TEST_CASE("the name namespace") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.name("namespace"); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: name(\"namespace\"): \"namespace\" is a keyword of C++\n"
          "@A: note: take another name\n");
}

TEST_CASE("the name of a library cell") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.name("ag_fifo"); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: name(\"ag_fifo\"): names that begin with ag_ belong to Argent's library cells\n"
          "@A: note: take another name\n");
}

TEST_CASE("name twice") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.name("first"); HERE('A');
        a.name("second"); HERE('B');
        return f.out;
    });
    CHECK(text ==
          "@B: error: name(\"second\"): the name is given already at @A, as name(\"first\")\n"
          "@B: note: keep one of the two\n");
}
