#include <doctest/doctest.h>

#include <map>

#include "Analysis.h"
#include "Coverage.h"
#include "Generate.h"
#include "Golden.h"
#include "Shrink.h"

using namespace argent::fuzz;

namespace {

/** Whether some operator `op` of type `t` computes with something that it reads. */
bool holds(const Pipeline &p, const std::string &op, Halide::Type t) {
    bool found = false;
    for (const Stage &s : p.stages) {
        visit_terms(s, [&](const TermPtr &u) {
            if (u->op != op || u->type != t) return;
            visit_terms(u, [&](const TermPtr &v) { found = found || v->kind == Term::Kind::Read; });
        });
    }
    return found;
}

TEST_CASE("a seed gives one pipeline, that Halide defines, of three stages at least") {
    for (uint64_t seed = 0; seed < 200; seed++) {
        const Pipeline p = generate(seed);
        CAPTURE(seed);
        CHECK(to_text(p) == to_text(generate(seed)));
        CHECK(analyse(p).problem == "");
        CHECK(p.stages.size() >= 3);
    }
}

TEST_CASE("a reduction of what Halide does not define is left out") {
    CHECK(generate(30129, 2).stages.size() >= 3);   // its body was made narrower for ever
}

TEST_CASE("a seed gives another pipeline for each draw") {
    for (uint64_t seed = 0; seed < 20; seed++) {
        CHECK(to_text(generate(seed, 1)) == to_text(generate(seed, 1)));
        CHECK(to_text(generate(seed, 1)) != to_text(generate(seed)));
        CHECK(to_text(generate(seed, 1)) != to_text(generate(seed, 2)));
        CHECK(generate(seed, 1).seed == seed);
    }
}

TEST_CASE("text and pipeline determine each other") {
    for (uint64_t seed = 0; seed < 200; seed++) {
        const std::string text = to_text(generate(seed));
        CHECK(to_text(from_text(text)) == text);
    }
}

TEST_CASE("forms: all that there are, and what names no stage is none") {
    std::map<std::string, int> words;
    for (uint64_t seed = 0; seed < 200; seed++) {
        const Pipeline p = generate(seed);
        const Form &f = p.form;
        words["plain"] += f.is_plain();
        words["columns first"] += f.is_columns_first;
        words["planes"] += f.planes > 0 && !f.has_unrolled_planes;
        words["unrolled planes"] += f.has_unrolled_planes;
        words["loaded tables"] += f.has_loaded_tables;
        words["tiles"] += f.tile[0] > 0;
        words["strips"] += f.strip > 0;
        words["shared in time"] += std::any_of(p.stages.begin(), p.stages.end(), [](const Stage &s) { return s.share > 1; });
        words["two accelerators"] += f.first >= 0 && !f.is_first_on_host;
        words["an input of the host"] += f.is_first_on_host;
        words["a wrapper"] += f.wrapped >= 0;
        words["streams"] += f.has_streams;
        words["a RAM"] += f.buffered >= 0;
        words["channels " + std::to_string(static_cast<int>(f.channels))]++;
        words["outputs " + std::to_string(static_cast<int>(f.outputs))]++;
        for (int i : {f.first, f.buffered, f.wrapped}) CHECK(i + 1 < static_cast<int>(p.stages.size()));
        CHECK((f.outputs == Form::Outputs::One) == f.also.empty());
    }
    CHECK(words.size() == 13 + 4 + 5);
    for (const auto &[word, count] : words) {
        CAPTURE(word);
        CHECK(count > 0);
    }
    Pipeline p = generate(1);
    p.form = {};
    p.form.outputs = Form::Outputs::Funcs, p.form.also = {0}, p.form.buffered = 1;
    for (const Pipeline &q : simpler(p)) {
        for (int i : q.form.also) CHECK(i + 1 < static_cast<int>(q.stages.size()));
        CHECK(q.form.buffered + 1 < static_cast<int>(q.stages.size()));
    }
}

TEST_CASE("text that is wrong is named by its line") {
    CHECK_THROWS_WITH(from_text("block 3 3\nform tile 3\n"), "line 2: tile: something is missing\n  form tile 3");
    CHECK_THROWS_WITH(from_text("block 3 3\ninput in0 u8\nstage f0 u8 root\n  value (add in0[0,0] 1:u16)\n"),
                      "line 4: add does not take these operands\n    value (add in0[0,0] 1:u16)");
}

Pipeline of(const std::string &stage) {
    return from_text("block 8 8\nthroughput 1 1\nboard pynq-z2 0\ninput in0 i32\ninput in1 i8\n" + stage + "run 8 8 at 0 0 gaps 0 seed 1\n");
}

TEST_CASE("what Halide leaves undefined is no test") {
    CHECK(analyse(of("stage f0 i32 root\n  value (add in0[0,0] (cast:i32 in1[0,0]))\n")).problem == "f0: may be undefined");
    CHECK(analyse(of("stage f0 i32 root\n  value (add (shr in0[0,0] 1:i32) (cast:i32 in1[0,0]))\n")).problem == "");
    CHECK(analyse(of("stage f0 i32 root\n  value (shr in0[0,0] (cast:i32 in1[0,0]))\n")).problem == "f0: may be undefined");
    CHECK(analyse(of("stage f0 i32 root\n  value (shr in0[0,0] (mod (cast:i32 in1[0,0]) 32:i32))\nstage f1 i8 root\n"
                     "  value (add (cast:i8 f0[1,0]) in1[0,0])\n")).problem == "");
    CHECK(analyse(of("stage f0 i32 root\n  value (cast:i32 in1[0,0])\n")).problem == "in0 is not read");
}

TEST_CASE("Halide refuses constants whose difference overflows; such a pipeline is counted, not compared") {
    const Pipeline p = from_text("block 1 1\nthroughput 1 1\nboard pynq-z2 0\ninput in0 i64\nstage f0 bool root\n"
                                 "  value (lt (cast:i64 (trunc:i62 in0[0,0])) -9223372036854775805:i64)\nrun 1 1 at 0 0 gaps 0 seed 1\n");
    CHECK_THROWS_AS(Golden{p}, RefusedByHalide);
    CHECK_NOTHROW(Golden{of("stage f0 bool root\n  value (lt in0[0,0] (cast:i32 in1[0,0]))\n")});
    Coverage c;
    c.add(p, {true, "", 0, false, true});
    CHECK(c.text().find("drawn anew because the pipeline is rightly refused (Halide: constants that overflow when folded, reductions at some coordinates, places without bounds; Argent: an input without effect, time_share of nothing alike, a table of two timelines): 1\n") != std::string::npos);
    CHECK(c.text().find("coverage of 0 pipelines") == 0);
}

TEST_CASE("Halide believes conditions on coordinates around a reduction; such a pipeline is drawn anew if it then reads too much") {
    const auto text = [](int y) {
        return "stage f0 i32 root\n  rdom 0 1 0 1\n  let (eq y " + std::to_string(y) + ":i32)\n"
               "  value (select t0 (add (minimum r0 (cast:i32 (trunc:i20 in0[0,0]))) (cast:i32 in1[0,0])) 0:i32)\n";
    };
    const Pipeline near = of(text(7)), far = of(text(1000)), nothing = of("stage f0 i32 root\n  value (select (eq y 9:i32) in0[0,0] (cast:i32 in1[0,0]))\n");
    CHECK(analyse(far).problem == "");
    CHECK(reduces_at_some_coordinates(far));
    CHECK(!reduces_at_some_coordinates(nothing));
    CHECK_NOTHROW(Golden{near}.run(near.runs[0]));
    CHECK_THROWS_AS(Golden{far}.run(far.runs[0]), RefusedByHalide);
    CHECK_NOTHROW(Golden{nothing}.run(nothing.runs[0]));
}

TEST_CASE("Halide finds no bounds of some places in tables; such a pipeline is drawn anew") {
    const auto text = [](const std::string &place) {
        return from_text("block 1 1\nthroughput 1 1\nboard pynq-z2 0\ninput in0 i8\ntable k0 i8 updates 4 5 6\nstage f0 i32 root\n  value (cast:i32 (cast:bool in0[0,0]))\n"
                         "stage f1 i8 root\n  value (k0 " + place + ")\nrun 1 1 at 0 0 gaps 0 seed 1\n");
    };
    CHECK_THROWS_AS(Golden{text("(bxor f0[0,0] f0[1,0])")}, RefusedByHalide);
    CHECK_NOTHROW(Golden{text("(add f0[0,0] f0[1,0])")});
}

TEST_CASE("a reduction has a point at least") {
    const auto problem = [](const std::string &predicate) {
        return analyse(of("stage f0 i32 root\n  rdom -1 2 -2 1 " + predicate + "\n  value (bxor (cast:i32 in1[0,0]) (maximum r0 (cast:i32 (trunc:i9 in0[rx,ry]))))\n")).problem;
    };
    CHECK(problem("(le rx ry)") == "f0: a predicate that holds for no point");
    CHECK(problem("(ge rx ry)") == "");
    CHECK(problem("(eq (mod (add rx ry) 2:i32) 0:i32)") == "");   // at one of its two points
}

TEST_CASE("reach and reconvergence") {
    const Analysis a = analyse(of("stage f0 i8 root\n  value (add in1[-2,0] (cast:i8 in0[0,1]))\nstage f1 i8 root\n  value (add f0[3,-7] in1[0,0])\n"));
    CHECK(a.problem == "");
    CHECK(a.reconverges);
    CHECK(a.reach[1].min_x == 0);   // 3 - 2 on one way, 0 on the other
    CHECK(a.reach[1].max_x == 1);
    CHECK(a.reach[1].min_y == -7);
    CHECK(a.reach[0].max_x == 3);
}

TEST_CASE("ways to fail") {
    CHECK(way_of("refused: Build.cpp:164: error: f3$1: gamma: an operator without a rule") == way_of("refused: Build.cpp:164: error: f0: gamma: an operator without a rule"));
    CHECK(way_of("refused: Build.cpp:164: error: accelerate(f6, {in0, in1}): the input in0 does not reach f6\nnote: x") ==
          "refused: error: the input does not reach");
    CHECK(way_of("lint: %Warning-UNSIGNED: rtl/fz5_f0.v:14:21: Comparison is constant") == "lint: %Warning-UNSIGNED: Comparison is constant");
    CHECK(way_of("mismatch: run 3x3: element 1,2 is 0x3 instead of 0x4") == "mismatch");
}

TEST_CASE("a failure shrinks to what it needs") {
    int shrunk = 0;
    for (uint64_t seed = 1; shrunk < 5; seed++) {
        const Pipeline p = generate(seed);
        if (!holds(p, "rhadd", Halide::UInt(8)) || p.pixels < 4) continue;
        shrunk++;
        std::string failure = "mismatch: made up";
        const Oracle oracle = [](const std::vector<Pipeline> &all) {
            std::vector<Verdict> verdicts;
            for (const Pipeline &q : all) verdicts.push_back({true, holds(q, "rhadd", Halide::UInt(8)) && q.pixels >= 2 ? "mismatch: made up" : "", 0, false});
            return verdicts;
        };
        const Pipeline least = shrink(p, failure, oracle, 16, 60);
        CAPTURE(to_text(least));
        CHECK(analyse(least).problem == "");
        CHECK(least.stages.size() == 1);
        CHECK(least.pixels == 2);
        CHECK(least.runs.size() == 1);
        CHECK(least.runs[0].width == 1);
        int terms = 0;
        visit_terms(least.stages[0], [&](const TermPtr &) { terms++; });
        CHECK(terms <= 7);
    }
}

TEST_CASE("a stage with a reduction goes into its readers, with its domain") {
    const Pipeline p = of("stage f0 i32 root\n  rdom 0 2 0 1\n  value (maximum r0 in0[rx,0])\n"
                          "stage f1 i32 root\n  rdom 0 3 0 1\n  value (bxor f0[0,0] (minimum r0 (cast:i32 in1[rx,0])))\n");
    CHECK(analyse(p).problem == "");
    int together = 0;
    for (const Pipeline &q : simpler(p)) {
        if (q.stages.size() != 1 || q.stages[0].domains.size() != 2) continue;
        together++;
        CHECK(to_text(q).find("(bxor (maximum r1 in0[rx,0]) (minimum r0 (cast:i32 in1[rx,0])))") != std::string::npos);
        CHECK(q.stages[0].domains[1].extent_x == 2);
    }
    CHECK(together > 0);
}

TEST_CASE("roots of constants are none that Halide gets wrong") {
    const auto problem = [](const std::string &value) { return analyse(of("stage f0 u16 root\n  value " + value + "\n")).problem; };
    CHECK(problem("(cast:u16 (sqrt (bnot 0:u64)))") == "f0: may be undefined");
    CHECK(problem("(cast:u16 (sqrt (cast:u64 in0[0,0])))") == "in1 is not read");   // the rest is fine
}

TEST_CASE("comparisons with coordinates are none that Halide gets wrong") {
    const auto of_value = [](const std::string &value) { return analyse(of("stage f0 bool root\n  value " + value + "\n")).problem; };
    CHECK(of_value("(lt in0[0,0] y)") == "f0: may be undefined");
    CHECK(of_value("(lt (shr in0[0,0] 4:i32) y)") == "in1 is not read");   // the rest is fine
    CHECK(of_value("(lt in0[0,0] in0[1,0])") == "in1 is not read");
}

TEST_CASE("Funcs of other grids are read at another rate") {
    const std::string text = "block 4 4\nthroughput 1 1\nboard pynq-z2 0\ninput in0 i32 grid 2 1\ninput in1 i8\nstage f0 i32 root grid 1 3\n"
                             "  value (bxor in0[-1,1] (cast:i32 in1[2,0]))\nrun 4 2 at 1 -1 gaps 0 seed 1\n";
    const Pipeline p = from_text(text);
    CHECK(to_text(p).find(text.substr(text.find("input"))) != std::string::npos);
    CHECK(p.has_rates());
    const std::vector<Reach> boxes = boxes_of(p, analyse(p), p.runs[0]);
    CHECK(boxes[0].min_x == 0);    // (x - 1) / 2
    CHECK(boxes[0].max_x == 1);
    CHECK(boxes[0].min_y == -2);   // 3 * y + 1
    CHECK(boxes[0].max_y == 1);
    CHECK(boxes[1].max_x == 6);
    CHECK(boxes[1].min_y == -3);
}

TEST_CASE("a Func with a border is seen beyond the image, which the output may be a part of") {
    const std::string text = "block 4 4\nthroughput 2 1\nboard pynq-z2 0\ninput in0 i32 border edge\ninput in1 u8\nstage f0 u8 root border exterior\n"
                             "  value (hadd (cast:u8 in0[-3,1]) (cast:u8 in1[2,0]))\nstage f1 u8 root\n  value f0[0,-1]\nrun 4 2 at 1 -1 gaps 0 seed 1 within 2 0 1 7\n";
    const auto with = [&](const std::string &was, const std::string &now) { return std::string(text).replace(text.find(was), was.size(), now); };
    const Pipeline p = from_text(text);
    CHECK(to_text(p).find("input in0 i32 border edge\ninput in1 u8\nstage f0 u8 root border exterior\n") != std::string::npos);
    CHECK(to_text(p).find(" seed 1 within 2 0 1 7\n") != std::string::npos);
    CHECK(analyse(p).problem == "");
    const std::vector<Reach> boxes = boxes_of(p, analyse(p), p.runs[0]);
    CHECK(boxes[0].min_x == -1);   // the image
    CHECK(boxes[0].max_x == 4);
    CHECK(boxes[0].min_y == -2);
    CHECK(boxes[0].max_y == 7);
    CHECK(boxes[1].max_x == 6);    // what is read
    const std::string other = with("(cast:u8 in1[2,0])", "1:u8");
    const Pipeline beside = from_text(std::string(other).replace(other.find("value f0[0,-1]"), 14, "value (hadd f0[0,-1] in1[0,0])"));
    CHECK(boxes_of(beside, analyse(beside), beside.runs[0])[1].max_y == 7);   // a launch scans as far as borders reach
    const auto problem = [](const std::string &changed) { return analyse(from_text(changed)).problem; };
    CHECK(problem(with(" border edge", "")) == "borders of what is no image at the output's rate");
    CHECK(problem(with("within 2", "within 1")) == "a run that does not begin with a vector of the image");
    CHECK_THROWS(from_text(with("border edge", "border rim")));

    std::map<Border, int> met;
    int parts = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        const Pipeline q = generate(seed);
        for (int i = 0; i < int(q.inputs.size() + q.stages.size()); i++) met[q.border(i)]++;
        for (const Run &run : q.runs) parts += run.right > 0;
    }
    for (Border b : {Border::Edge, Border::MirrorImage, Border::MirrorInterior, Border::Exterior}) CHECK(met[b] > 10);
    CHECK(parts > 20);
}

TEST_CASE("coverage: nearly every operator in every type, and reconvergence, in 200 pipelines") {
    Coverage c;
    for (uint64_t seed = 0; seed < 200; seed++) c.add(generate(seed), {});
    CHECK(c.reconverging_percent() >= 40);
    CHECK(c.missing() <= 12);
}

}  // namespace
