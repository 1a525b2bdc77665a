#include "Launches.h"

#include <dlfcn.h>
#include <doctest/doctest.h>

#include "dsl/Emit.h"
#include "dsl/Partition.h"
#include "dsl/Spec.h"
#include "dsl/Texts.h"
#include "dsl/jit/ModelBuilder.h"
#include "hwgen/verilog/Names.h"
#include "sim/runner/Launches.h"

namespace argent::test {
namespace {

/** The launches of what realize() makes of a pipeline: the same files are the same library, which has a runtime of its own. */
class Observed {
public:
    explicit Observed(const Halide::Func &f) : recorder(load(f)) {}

    void check() {
        const std::vector<runner::LaunchLog> launches = recorder.take();
        REQUIRE(launches.size() == 1);
        const runner::Forecast forecast = runner::predict(manifest, launches[0]);
        CHECK(forecast.reason == "");
        CHECK(static_cast<long>(launches[0].clocks) == forecast.clocks);
        CHECK(launches[0].ports.size() == launches[0].images.size());
        CHECK(runner::wrong_traffic(manifest, launches[0]) == "");
    }

private:
    runner::LaunchRecorder::Observe load(const Halide::Func &f) {
        const std::string function = verilog::legal(dsl::user_name(f.name()));
        const dsl::Partitioned parts = dsl::partition({f}, dsl::specs_of(f), {function, "", false, {__FILE__, __LINE__}});
        manifest["accelerators"].push_back(nlohmann::json::parse(parts.designs.at(0).manifest.dump()));
        const std::string path = dsl::build_model(function, {parts.designs[0].name}, dsl::emitted_files(function, parts.designs, {"verilog", "driver", "sim"}));
        void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        REQUIRE(library != nullptr);
        return reinterpret_cast<runner::LaunchRecorder::Observe>(dlsym(library, "argent_launch_observe"));
    }

    nlohmann::json manifest;
    runner::LaunchRecorder recorder;
};

}  // namespace

void compare_launches(const Make &make, const Sizes &sizes) {
    Observed observed(make());
    for (const std::vector<int> &size : sizes) {
        compare(make, {size});
        observed.check();
    }
}

void compare_launches_at(const Make &make, const std::vector<int> &mins, const Sizes &sizes) { compare_launches(read_from(make, mins), sizes); }

}  // namespace argent::test
