#include <doctest/doctest.h>

#include "hwgen/area/MapTables.h"

using namespace argent::hwgen;

namespace {

Lits inputs(Netlist &n, int count) {
    Lits all;
    for (int i = 0; i < count; i++) all.push_back(n.input());
    return all;
}

}  // namespace

TEST_CASE("map_tables: gates of up to six inputs are one table") {
    for (int count : {2, 6, 7, 11, 12, 36}) {
        Netlist n;
        n.outputs = {n.all_of(inputs(n, count))};
        CHECK(map_tables(n).lut == (count - 1 + 4) / 5);   // a table more takes five more
    }
}

TEST_CASE("map_tables: an adder is a table a bit, and what is chosen in front of its second operand is in it") {
    Netlist n;
    const Lits a = inputs(n, 8), b = inputs(n, 8), c = inputs(n, 8);
    const Lit s = n.input();
    Lits chosen;
    for (int i = 0; i < 8; i++) chosen.push_back(n.mux(s, b[i], c[i]));
    n.outputs = n.sum(a, chosen, false, 0);
    CHECK(map_tables(n).lut == 8);
    n.outputs = n.sum(chosen, a, false, 0);   // the carries want the bits of the first by themselves
    CHECK(map_tables(n).lut == 16);
}

TEST_CASE("map_tables: a counter has no tables, and an inverter is none") {
    Netlist n;
    Lits q;
    for (int i = 0; i < 8; i++) q.push_back(n.declare_register());
    Lits one(8, 0);
    one[0] = 1;
    const Lits next = n.sum(q, one, false, 0);
    for (int i = 0; i < 8; i++) {
        Netlist::Register r;
        r.d = next[i];
        n.drive(q[i], r);
    }
    n.outputs = {invert(q[7])};
    const Resources area = map_tables(n);
    CHECK(area.lut == 0);
    CHECK(area.ff == 8);
}

TEST_CASE("map_tables: three registers in a row are a shift register, if nothing reads between them or resets them") {
    for (const int tap : {-1, 1}) {
        for (const bool has_reset : {false, true}) {
            Netlist n;
            const Lit in = n.input(), reset = n.input();
            Lit l = in;
            for (int i = 0; i < 5; i++) {
                Netlist::Register r;
                r.d = l;
                r.reset = has_reset ? reset : 0;
                l = n.clocked(r);
                if (i == tap) n.outputs.push_back(l);
            }
            n.outputs.push_back(l);
            const Resources area = map_tables(n);
            CHECK(area.srl == (has_reset ? 0 : 1));
            CHECK(area.ff == (has_reset ? 5 : tap < 0 ? 0 : 2));   // those behind the tap are three
        }
    }
}

TEST_CASE("map_tables: what no output depends on does not count") {
    Netlist n;
    const Lits a = inputs(n, 8), b = inputs(n, 8);
    const Lits s = n.sum(a, b, false, 0);
    Netlist::Register r;
    r.d = s[7];
    n.clocked(r);
    n.outputs = {s[2]};
    CHECK(map_tables(n).lut == 3);
    CHECK(map_tables(n).ff == 0);
}

TEST_CASE("map_tables: hard multipliers by the widths of their operands") {
    const auto multipliers = [](int a_bits, int b_bits, bool is_signed) {
        Netlist n;
        const Lits a = inputs(n, a_bits), b = inputs(n, b_bits);
        n.outputs = n.product(a, b, is_signed, a_bits + b_bits);
        return map_tables(n).dsp;
    };
    CHECK(multipliers(18, 18, true) == 1);
    CHECK(multipliers(25, 18, true) == 1);
    CHECK(multipliers(24, 17, false) == 1);
    CHECK(multipliers(26, 18, true) == 2);
    CHECK(multipliers(32, 32, false) == 4);
}

TEST_CASE("map_tables: a hard multiplier has the registers around it, and the sum that is behind it alone") {
    for (const bool is_read_twice : {false, true}) {
        Netlist n;
        Lits a, b, sum;
        for (int i = 0; i < 10; i++) {
            Netlist::Register r;
            r.d = n.input();
            a.push_back(n.clocked(r));
            b.push_back(n.input());
        }
        const Lits product = n.product(a, b, false, 20), more = inputs(n, 20);
        for (Lit l : n.sum(product, more, false, 0)) {
            Netlist::Register r;
            r.d = l;
            n.outputs.push_back(n.clocked(r));
        }
        if (is_read_twice) n.outputs.push_back(product[3]);
        const Resources area = map_tables(n);
        CHECK(area.dsp == 1);
        CHECK(area.lut == (is_read_twice ? 20 : 0));
        CHECK(area.ff == (is_read_twice ? 20 : 0));
    }
}

TEST_CASE("map_tables: a sum in front of a hard multiplier is its own, unless somebody else reads it") {
    for (const bool is_read_twice : {false, true}) {
        Netlist n;
        const Lits a = inputs(n, 10), b = inputs(n, 10);
        Lits held;
        const Lits sum = n.sum(a, b, false, 0);
        for (Lit l : sum) {
            Netlist::Register r;
            r.d = l;
            held.push_back(n.clocked(r));
        }
        n.outputs = n.product(held, inputs(n, 8), false, 18);
        if (is_read_twice) n.outputs.push_back(sum[9]);
        const Resources area = map_tables(n);
        CHECK(area.dsp == 1);
        CHECK(area.lut == (is_read_twice ? 10 : 0));
        CHECK(area.ff == 0);
    }
}

TEST_CASE("map_tables: a hard multiplier's register behind it is of all bits from the lowest one on") {
    for (const int first : {0, 4}) {
        Netlist n;
        const Lits product = n.product(inputs(n, 8), inputs(n, 8), false, 16);
        for (int i = first; i < 16; i++) {
            Netlist::Register r;
            r.d = product[i];
            n.outputs.push_back(n.clocked(r));
        }
        CHECK(map_tables(n).ff == (first == 0 ? 0 : 12));
    }
}

TEST_CASE("map_tables: a hard multiplier has two registers behind its product") {
    for (const int count : {1, 2, 3}) {
        Netlist n;
        Lits product = n.product(inputs(n, 8), inputs(n, 8), false, 16);
        for (int k = 0; k < count; k++) {
            for (Lit &l : product) {
                Netlist::Register r;
                r.d = l;
                l = n.clocked(r);
            }
        }
        n.outputs = product;
        CHECK(map_tables(n).ff == (count == 3 ? 16 : 0));
    }
}

TEST_CASE("map_tables: a hard multiplier has one register behind its product and one behind its sum") {
    for (const int behind : {1, 2}) {
        Netlist n;
        Lits product = n.product(inputs(n, 8), inputs(n, 8), false, 16);
        const auto clocked = [&](Lits &bits) {
            for (Lit &l : bits) {
                Netlist::Register r;
                r.d = l;
                l = n.clocked(r);
            }
        };
        clocked(product);
        Lits sum = n.sum(product, inputs(n, 16), false, 0);
        for (int k = 0; k < behind; k++) clocked(sum);
        n.outputs = sum;
        CHECK(map_tables(n).lut == 0);
        CHECK(map_tables(n).ff == (behind == 2 ? 16 : 0));
    }
}

TEST_CASE("map_tables: a hard multiplier adds what is shifted further than low bits that are read, too") {
    for (const int read : {4, 5}) {
        Netlist n;
        const Lits product = n.product(inputs(n, 8), inputs(n, 8), false, 16), more = inputs(n, 12);
        Lits moved(4, 0);
        moved.insert(moved.end(), more.begin(), more.end());
        n.outputs = n.sum(product, moved, false, 0);
        if (read > 4) n.outputs.push_back(product[4]);
        CHECK(map_tables(n).lut == (read > 4 ? 12 : 0));
    }
}

TEST_CASE("map_tables: a hard multiplier has two registers in front of each factor") {
    for (const int count : {1, 2, 3}) {
        Netlist n;
        Lits a = inputs(n, 8);
        for (int k = 0; k < count; k++) {
            for (Lit &l : a) {
                Netlist::Register r;
                r.d = l;
                l = n.clocked(r);
            }
        }
        n.outputs = n.product(a, inputs(n, 8), false, 16);
        CHECK(map_tables(n).ff == (count == 3 ? 8 : 0));
    }
}

TEST_CASE("map_tables: what a hard multiplier reads between registers in a row is its copy, and they are a shift register") {
    Netlist n;
    Lits line = inputs(n, 8);
    for (int k = 0; k < 4; k++) {
        for (Lit &l : line) {
            Netlist::Register r;
            r.d = l;
            l = n.clocked(r);
        }
        if (k == 1) n.outputs = n.product(line, inputs(n, 8), false, 16);
    }
    n.outputs.insert(n.outputs.end(), line.begin(), line.end());
    const Resources area = map_tables(n);
    CHECK(area.ff == 0);
    CHECK(area.srl == 8);
}

TEST_CASE("map_tables: a hard multiplier adds to its product as it is, or with its sign repeated") {
    const auto luts = [](int shift, int repeated) {
        Netlist n;
        const Lits product = n.product(inputs(n, 8), inputs(n, 8), true, 16);
        Lits moved(shift, 0);
        moved.insert(moved.end(), product.begin(), product.end());
        moved.insert(moved.end(), repeated, product.back());
        n.outputs = n.sum(moved, inputs(n, 16 + shift + repeated), false, 0);
        return map_tables(n).lut;
    };
    CHECK(luts(0, 0) == 0);
    CHECK(luts(0, 4) == 0);
    CHECK(luts(1, 0) == 16);
}
