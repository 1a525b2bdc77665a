#include "dsl/ListDirectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "dsl/Texts.h"

namespace argent::dsl {

namespace {

bool is_out(const AcceleratorSpec &spec, const std::string &name) {
    return std::any_of(spec.outs.begin(), spec.outs.end(), [&](const Halide::Func &f) { return f.name() == name; });
}

/** What is kept and what is computed again. */
void list_storage(const AcceleratorSpec &spec, const std::map<std::string, std::string> &stored, hwgen::Region &r) {
    for (const auto &stage : stored) {
        const std::string &name = stage.first;
        if (is_out(spec, name)) continue;
        const bool is_given = std::any_of(spec.storage.begin(), spec.storage.end(), [&](const auto &s) {
            return s.value.func.name() == name && s.value.kind != StorageDirective::Kind::Inlined && s.value.is_given;
        });
        r.directives.push_back({fmt::format("{}({})", spec.buffered(name) ? "buffered" : "linebuffer", user_name(name)), is_given, name});
    }
    for (const auto &s : spec.storage) {
        if (s.value.kind != StorageDirective::Kind::Inlined || stored.count(s.value.func.name())) continue;
        r.directives.push_back({fmt::format("inlined({})", user_name(s.value.func.name())), true});
    }
}

/** The loops of an output: which are scanned around which, and which are unrolled. */
void list_loops(const AcceleratorSpec &spec, const Captured::Output &out, hwgen::Region &r) {
    if (!out.shape.looped.empty()) {
        std::vector<std::string> order;
        const bool is_given = std::any_of(spec.reorders.begin(), spec.reorders.end(), [&](const auto &o) { return o.value.func.name() == out.func.name(); });
        for (const auto *dims : {&out.shape.scanned, &out.shape.looped}) {
            for (int d : *dims) order.push_back(user_name(out.func.args()[d]));
        }
        r.directives.push_back({fmt::format("reorder({}, {{{}}})", user_name(out.func.name()), fmt::join(order, ", ")), is_given});
    }
    for (int d : out.shape.unrolled) {
        if (out.shape.is_looped(d) || out.shape.is_inner(d)) continue;
        const std::string var = out.func.args()[d];
        const bool is_given = std::any_of(spec.unrolls.begin(), spec.unrolls.end(), [&](const auto &u) {
            return u.value.func.name() == out.func.name() && u.value.var.name() == var;
        });
        r.directives.push_back({fmt::format("unroll({}, {})", user_name(out.func.name()), user_name(var)), is_given});
    }
}

}  // namespace

void list_directives(const AcceleratorSpec &spec, const std::map<std::string, std::string> &stored, Captured &captured) {
    hwgen::Region &r = captured.region;
    std::string extents;
    for (const auto &[var, extent] : spec.blocks[0].value) {
        extents += fmt::format("{}{{{}, {}}}", extents.empty() ? "" : ", ", var.name(), extent);
    }
    r.directives.push_back({fmt::format("block({{{}}})", extents), !spec.blocks.empty()});
    r.directives.push_back({throughput_text(r.block_vars[0], r.pixels, r.clocks), !spec.throughputs.empty()});
    list_storage(spec, stored, r);
    for (const Captured::Output &out : captured.outs) list_loops(spec, out, r);
    for (const auto &f : spec.fifos) {
        r.directives.push_back({fifo_text(f.value), true});
    }
    for (const auto &t : spec.time_shares) {
        r.directives.push_back({time_share_text(t.value), true});
    }
    if (!spec.streams.empty()) r.directives.push_back({"streaming()", true});
    r.directives.push_back({fmt::format("board(\"{}\")", r.board.name), !spec.boards.empty()});
    r.directives.push_back({fmt::format("clock({:g})", r.clock_mhz), !spec.clocks.empty()});
    r.directives.push_back({fmt::format("name(\"{}\")", r.name), !spec.names.empty()});
}

}  // namespace argent::dsl
