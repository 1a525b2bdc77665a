#include <Halide.h>

#include "argent.h"

namespace {

enum class Host { InTurn, Async, Ring };

/** A host stage, the accelerator, and the host again, strip by strip: one after the other; both in threads of their own; or the host stage with two strips
 *  of memory (a ring is for host stages: Halide tells an extern stage, such as an accelerator, nothing of its parts). */
class Overlap : public Halide::Generator<Overlap> {
public:
    GeneratorParam<Host> host{"host", Host::InTurn, {{"in_turn", Host::InTurn}, {"async", Host::Async}, {"ring", Host::Ring}}};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        host_stage(x, y) = input(x, y) * uint8_t(5) + Halide::cast<uint8_t>(y);
        if (host == Host::Ring) prepared(x, y) = host_stage(x, y);
        else prepared = host_stage;
        edges(x, y) = absd(prepared(x, y), prepared(x + 1, y)) + prepared(x + 2, y) / 2;
        output(x, y) = edges(x, y) ^ uint8_t(1);
    }

    void schedule() {
        const int rows = 128, columns = 1024;
        argent::accelerate(edges, {prepared}).block({{x, columns}, {y, rows}});
        output.split(y, yo, yi, rows, TailStrategy::GuardWithIf).vectorize(x, 16, TailStrategy::GuardWithIf);
        edges.compute_at(output, yo);
        prepared.compute_at(output, yo);
        host_stage.compute_at(output, yo).trace_realizations();  // so that the test can say how long it takes
        if (host == Host::Async) {
            host_stage.store_root().async();
            edges.store_root().async();  // an accelerator's input runs ahead where the accelerator is in a thread of its own, too
        }
        if (host == Host::Ring) host_stage.hoist_storage_root().bound_storage(x, columns + 2).bound_storage(y, rows).ring_buffer(2).async();
    }

private:
    Var x{"x"}, y{"y"}, yo{"yo"}, yi{"yi"};
    Func host_stage{"host_stage"}, prepared{"prepared"}, edges{"edges"};
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Overlap, overlap)
