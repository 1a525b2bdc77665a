#include "hwgen/passes/region/UnreadInputs.h"

#include <fmt/format.h>

#include <map>

#include "hwgen/passes/region/CutTimelines.h"
#include "hwgen/passes/region/Timeline.h"

namespace argent::hwgen {

namespace {

bool are_alike(const Stage &a, const Stage &b) {
    bool same = b.kind == Func::Kind::Input && a.image == b.image;
    for (int dim = 0; dim < 2; dim++) same = same && a.grid[dim].stride == b.grid[dim].stride && a.edges[dim].is_open() == b.edges[dim].is_open();
    return same;
}

/** An input's image as the user knows it. */
std::string label_of(const Region &region, const Func &input) {
    const Buffer *b = buffer_of(region, input.name);
    if (b) return b->label.empty() ? b->name : b->label;
    return input.label.empty() ? input.name : input.label;
}

}  // namespace

std::string image_of(const Region &region, const std::string &input) {
    const Buffer *b = buffer_of(region, input);
    if (b) return b->image.empty() ? b->name : b->image;
    return input.substr(0, input.find(own_input));
}

std::vector<UnreadInput> unread_inputs(const Graph &g) {
    const std::vector<bool> read = read_stages(g);
    std::vector<UnreadInput> unread;
    for (size_t i = 0; i < g.stages.size(); i++) {
        if (read[i] || g.stages[i].kind != Func::Kind::Input) continue;
        UnreadInput &input = unread.emplace_back(UnreadInput{static_cast<int>(i), {}});
        for (size_t j = 0; j < g.stages.size(); j++) {
            if (read[j] && are_alike(g.stages[i], g.stages[j])) input.alike.push_back(static_cast<int>(j));
        }
    }
    return unread;
}

void refuse_unread_images(const Timelines &t, Diagnostics &diagnostics) {
    std::map<std::string, std::string> unread;   // images; labels
    for (const Func &f : t.whole.funcs) {
        if (f.kind == Func::Kind::Input) unread.emplace(image_of(t.whole, f.name), label_of(t.whole, f));
    }
    for (const Timeline &timeline : t.all) {
        const std::vector<bool> read = read_stages(timeline.graph);
        for (size_t i = 0; i < read.size(); i++) {
            if (read[i]) unread.erase(timeline.graph.stages[i].image);
        }
    }
    const std::string reader = t.last().graph.stages[t.last().graph.outputs[0]].shown();
    for (const auto &[image, label] : unread) {
        diagnostics.error(t.whole.where, fmt::format("the input {} does not reach {}", label, reader),
                          {fmt::format("{} reads it where it has no effect: is there a condition that never holds, or a factor of 0?", reader)});
    }
}

}  // namespace argent::hwgen
