#include "Model.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "Build.h"
#include "dsl/Partition.h"
#include "dsl/Spec.h"

namespace argent::fuzz {

namespace fs = std::filesystem;
using nlohmann::json;

Hardware compile(const Pipeline &p, const std::string &name) {
    dsl::take_recorded_specs();
    const Built built = build_accelerated(p, name);
    const dsl::Specs specs = dsl::take_recorded_specs();
    const dsl::Partitioned parts = dsl::partition({built.out}, specs, {name, "", false, {"fuzz", 1}});
    return {name, parts.designs.at(0).manifest, parts.designs.at(0).rtl, HostScalars(parts.captured.at(0).params, built), parts.designs.at(0).scalars};
}

namespace {

StreamInfo stream_info(const json &image, const json &model, int lanes) {
    StreamInfo s;
    s.id = std::string(image.at("port")).substr(std::string("m_axi_").size());
    const std::string type = image.at("type");
    s.element_bits = type == "bool" ? 1 : std::stoi(type.substr(type.find_first_of("0123456789")));
    s.min_x = image.at("box").at(0).at("min"), s.max_x = image.at("box").at(0).at("max");
    s.min_y = image.at("box").at(1).at("min"), s.max_y = image.at("box").at(1).at("max");
    s.dx = model.at("dx"), s.dy = model.at("dy");
    if (model.contains("repeated")) s.repeated = model["repeated"][0];
    s.lanes = image.value("lanes", lanes);
    if (image.contains("grid")) s.step_x = image["grid"][0].at("step"), s.step_y = image["grid"][1].at("step");
    return s;
}

/** How many elements are in front of the output and behind it on the scan: <output>_first_x, <output>_behind_x or _end_x, ... */
void cut_ports(CoreInfo &c, const std::string &core) {
    const std::regex port("input  wire +(?:\\[(\\d+):0\\])? +(" + c.output.id + "_(?:first|behind|end)_[xy])\\b");
    for (auto i = std::sregex_iterator(core.begin(), core.end(), port); i != std::sregex_iterator(); ++i) {
        c.places.push_back({(*i)[2], (*i)[1].matched ? std::stoi((*i)[1]) + 1 : 1});
    }
}

}  // namespace

CoreInfo core_info(const Hardware &h) {
    const json &m = h.manifest;
    CoreInfo c;
    const json &model = m.at("clocks").at("model");
    c.lanes = model.at("lanes"), c.clocks = model.at("clocks_per_fire");
    c.longest_extra = model.value("longest_extra", 0), c.least_pitch = model.at("least_pitch");
    c.has_rates = model.contains("origin");
    for (const json &r : m.at("registers")) {
        const std::string name = r.at("name");
        if (name == "width") c.width_bits = r.at("bits");
        if (name == "height") c.height_bits = r.at("bits");
        if (name == "min_x") c.reads_min[0] = true;
        if (name == "min_y") c.reads_min[1] = true;
    }
    for (size_t i = 0; i < m.at("inputs").size(); i++) c.inputs.push_back(stream_info(m["inputs"][i], model.at("inputs").at(i), c.lanes));
    c.output = stream_info(m.at("outputs").at(0), model.at("outputs").at(0), c.lanes);
    c.latency = model.at("outputs").at(0).at("latency");
    for (const json &p : m.at("params")) {
        if (!p.contains("kind")) c.params.push_back({p.at("name"), p.at("bits")});   // others are the host's alone, or come to registers as places
    }
    if (c.has_rates) {
        const auto place = [&](const std::string &name) {
            for (const json &r : m.at("registers")) {
                if (r.at("name") == name) c.places.push_back({name, r.at("bits")});
            }
            return static_cast<int>(c.places.size()) - 1;
        };
        for (const char *name : {"pitch", "last_position"}) place(name);
        const auto stream = [&](StreamInfo &s) {
            int k = 0;
            for (const char *edge : {"_begin_x", "_end_x", "_begin_y", "_end_y"}) s.parts[k++] = place(s.id + edge);
        };
        for (StreamInfo &s : c.inputs) stream(s);
        stream(c.output);
    }
    for (int dim = 0; dim < 2; dim++) {
        const json &d = m.at("block").at(dim);
        if (!d.contains("domain")) continue;
        c.has_domain = true;
        c.before[dim] = d["domain"].at("before"), c.after[dim] = d["domain"].at("after");
    }
    if (c.has_domain) cut_ports(c, h.rtl.at(h.name + "_core.v"));
    if (c.params.size() > most_params) throw std::runtime_error("more params than the fuzzer's model has");
    return c;
}

namespace {

/** Where a core stands between the shared ports and its own clock. Inputs change at the falling edge only, so that a
 *  core whose clock stands still costs nothing. */
std::string shell(const Hardware &h) {
    const CoreInfo c = core_info(h);
    std::string ports, regs, samples, connections, ready;
    const auto input = [&](const std::string &name, int bits, const std::string &core_port) {
        const std::string range = bits > 1 ? fmt::format("[{}:0] ", bits - 1) : "";
        ports += fmt::format(",\n    input wire {}{}", range, name);
        regs += fmt::format("  reg {}r_{};\n", range, name);
        samples += fmt::format("    r_{0} <= {0};\n", name);
        if (!core_port.empty()) connections += fmt::format(",\n      .{}(r_{})", core_port, name);
    };
    input("rst", 1, "rst");
    input("start", 1, "start");
    if (!c.has_rates) input("width", c.width_bits, "width");
    if (!c.has_rates) input("height", c.height_bits, "height");
    for (const CoreInfo::Param &p : c.places) input(p.name, p.bits, p.name);
    if (c.reads_min[0]) input("min_x", 32, "min_x");
    if (c.reads_min[1]) input("min_y", 32, "min_y");
    for (size_t i = 0; i < c.params.size(); i++) input(fmt::format("param_{}", i), c.params[i].bits, c.params[i].name);
    std::string status;
    for (size_t i = 0; i < c.inputs.size(); i++) {
        input(fmt::format("valid_{}", i), 1, c.inputs[i].id + "_valid");
        input(fmt::format("data_{}", i), c.inputs[i].element_bits * c.inputs[i].lanes, c.inputs[i].id + "_data");
        ready += fmt::format("  wire ready_{};\n", i);
        connections += fmt::format(",\n      .{}_ready(ready_{})", c.inputs[i].id, i);
        status = fmt::format("ready_{}{}{}", i, status.empty() ? "" : ", ", status);
    }
    input("take", 1, c.output.id + "_ready");
    const int bits = c.output.element_bits * c.output.lanes, padded = std::max(bits, 65);
    return fmt::format(
        "module fuzz_{0} (\n    input wire clk{1},\n    output wire [31:0] status,\n    output wire [{2}:0] q\n);\n{3}"
        "  always @(negedge clk) begin\n{4}  end\n{5}  wire busy, wait_in, wait_out, valid;\n  wire [{6}:0] data;\n"
        "  {0}_core core (\n      .clk(clk),\n      .busy(busy),\n      .wait_in(wait_in),\n      .wait_out(wait_out){7},\n"
        "      .{8}_valid(valid),\n      .{8}_data(data)\n  );\n"
        "  assign status = {{{9}'d0, {10}, valid, wait_out, wait_in, busy}};\n  assign q = {11};\nendmodule\n\n",
        h.name, ports, padded - 1, regs, samples, ready, bits - 1, connections, c.output.id, 28 - c.inputs.size(), status,
        padded > bits ? fmt::format("{{{}'d0, data}}", padded - bits) : "data");
}

std::string top_verilog(const std::vector<Hardware> &all) {
    std::string text = "/* verilator lint_off DECLFILENAME */\n/* verilator lint_off UNUSED */\n`default_nettype none\n\n", instances;
    std::string ports =
        "    input wire rst,\n    input wire start,\n    input wire [2:0] in_valid,\n    input wire out_ready,\n"
        "    input wire [31:0] width,\n    input wire [31:0] height,\n    input wire [31:0] min_x,\n    input wire [31:0] min_y";
    for (int i = 0; i < most_params; i++) ports += fmt::format(",\n    input wire [63:0] param_{}", i);
    for (int i = 0; i < most_places; i++) ports += fmt::format(",\n    input wire [31:0] place_{}", i);
    for (int i = 0; i < most_inputs; i++) ports += fmt::format(",\n    input wire [{}:0] data_{}", most_data_bits - 1, i);
    for (size_t k = 0; k < all.size(); k++) {
        const CoreInfo c = core_info(all[k]);
        text += shell(all[k]);
        ports += fmt::format(",\n    input wire c{0},\n    output wire [31:0] s{0},\n    output wire [{1}:0] q{0}", k,
                             std::max(65, c.output.element_bits * c.output.lanes) - 1);
        instances += fmt::format("  fuzz_{0} i{1} (\n      .clk(c{1}), .status(s{1}), .q(q{1}), .rst(rst), .start(start), .take(out_ready)",
                                 all[k].name, k);
        if (!c.has_rates) instances += fmt::format(",\n      .width(width[{}:0]), .height(height[{}:0])", c.width_bits - 1, c.height_bits - 1);
        for (size_t i = 0; i < c.places.size(); i++) instances += fmt::format(", .{}(place_{}[{}:0])", c.places[i].name, i, c.places[i].bits - 1);
        if (c.reads_min[0]) instances += ", .min_x(min_x)";
        if (c.reads_min[1]) instances += ", .min_y(min_y)";
        for (size_t i = 0; i < c.params.size(); i++) instances += fmt::format(", .param_{0}(param_{0}[{1}:0])", i, c.params[i].bits - 1);
        for (size_t i = 0; i < c.inputs.size(); i++) {
            instances += fmt::format(",\n      .valid_{0}(in_valid[{0}]), .data_{0}(data_{0}[{1}:0])", i, c.inputs[i].element_bits * c.inputs[i].lanes - 1);
        }
        instances += "\n  );\n";
    }
    return text + "module fuzz_top (\n" + ports + "\n);\n" + instances + "endmodule\n";
}

std::string glue(size_t count) {
    std::string text =
        "#include \"Vfuzz.h\"\n#include \"Ports.h\"\nusing namespace argent::fuzz;\n"
        "namespace { struct Holder { VerilatedContext context; Vfuzz *top; }; }\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) void fuzz_open(Ports *p, unsigned seed) {\n"
        "  Holder *h = new Holder; h->context.randReset(2); h->context.randSeed(int(seed)); h->top = new Vfuzz(&h->context, \"top\");\n"
        "  Vfuzz *t = h->top; p->model = h;\n"
        "  p->eval = [](void *m) { static_cast<Holder *>(m)->top->eval(); };\n"
        "  p->close = [](void *m) { Holder *h = static_cast<Holder *>(m); h->top->final(); delete h->top; delete h; };\n"
        "  p->rst = &t->rst, p->start = &t->start, p->in_valid = &t->in_valid, p->out_ready = &t->out_ready;\n"
        "  p->width = &t->width, p->height = &t->height, p->min_x = &t->min_x, p->min_y = &t->min_y;\n"
        "  p->data[0] = t->data_0.data(), p->data[1] = t->data_1.data(), p->data[2] = t->data_2.data();\n";
    for (int i = 0; i < most_params; i++) text += fmt::format("  p->params[{0}] = &t->param_{0};\n", i);
    for (int i = 0; i < most_places; i++) text += fmt::format("  p->places[{0}] = &t->place_{0};\n", i);
    for (size_t k = 0; k < count; k++) text += fmt::format("  p->instances[{0}] = {{&t->c{0}, &t->s{0}, t->q{0}.data()}};\n", k);
    return text + fmt::format("}}\nstatic_assert(sizeof(Ports) == {}, \"kept for another driver\");\n", sizeof(Ports));
}

std::string quoted(const fs::path &p) { return "'" + p.string() + "'"; }

std::string read(const fs::path &p) {
    std::ifstream in(p);
    return {std::istreambuf_iterator<char>(in), {}};
}

uint64_t hash(const std::string &text, uint64_t h = 1469598103934665603ull) {
    for (unsigned char c : text) h = (h ^ c) * 1099511628211ull;
    return h;
}

void run(const std::string &command, const fs::path &log) {
    const int status = std::system(fmt::format("({}) > {} 2>&1", command, quoted(log)).c_str());
    if (status == 0) return;
    const std::string words = read(log);
    // Lint names files; everything of an accelerator begins with its name.
    std::set<std::string> names;
    static const std::regex file(R"(\b(fz\d+)[A-Za-z0-9_]*)");
    for (auto i = std::sregex_iterator(words.begin(), words.end(), file); i != std::sregex_iterator(); ++i) names.insert((*i)[1]);
    throw BuildFailure(words.substr(0, 20000), {names.begin(), names.end()});
}

}  // namespace

Model::Model(const std::vector<Hardware> &all, const std::string &folder) {
    const std::string top = top_verilog(all), glue_text = glue(all.size());
    std::map<std::string, std::string> rtl;
    for (const Hardware &h : all) rtl.insert(h.rtl.begin(), h.rtl.end());
    uint64_t key = hash(glue_text, hash(top, hash(FUZZ_BUILT_WITH)));
    for (const auto &[name, text] : rtl) key = hash(text, hash(name, key));
    const fs::path made = fs::path(folder) / fmt::format("{:016x}.so", key);
    if (!fs::exists(made)) {
        const fs::path work = fs::path(folder) / fmt::format("{:016x}.{}", key, getpid());
        fs::create_directories(work / "rtl");
        for (const auto &[name, text] : rtl) std::ofstream(work / "rtl" / name) << text;
        std::ofstream(work / "fuzz_top.v") << top;
        std::ofstream(work / "glue.cpp") << glue_text;
        // The accelerators' tops are read for lint only: nothing instantiates them.
        run(fmt::format("cd {} && {} --cc -Wall -O3 --x-assign unique --x-initial unique --prefix Vfuzz --top-module fuzz_top --Mdir obj "
                        "-y rtl fuzz_top.v",
                        quoted(work), FUZZ_VERILATOR),
            work / "log");
        std::vector<std::string> sources;
        for (const auto &entry : fs::directory_iterator(work / "obj")) {
            if (entry.path().extension() == ".cpp") sources.push_back(entry.path().filename().string());
        }
        std::sort(sources.begin(), sources.end());
        std::ofstream model(work / "model.cpp");
        for (const std::string &s : sources) model << "#include \"obj/" << s << "\"\n";
        model << "#include \"glue.cpp\"\n";
        model.close();
        const std::string includes = fmt::format("-Iobj -isystem {0} -isystem {0}/vltstd -I{1}", quoted(FUZZ_VERILATOR_INCLUDE), quoted(FUZZ_SOURCE));
        run(fmt::format("cd {} && {} -std=c++17 {} -fPIC -w -fvisibility=hidden {} -c model.cpp -o model.o && "
                        "{} -shared -o model.so model.o {} -lpthread",
                        quoted(work), FUZZ_CXX, FUZZ_CXX_FLAGS, includes, FUZZ_CXX_LINKER, quoted(FUZZ_VERILATED)),
            work / "log");
        fs::rename(work / "model.so", made);
        fs::remove_all(work);
    }
    library = dlopen(made.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw BuildFailure(dlerror(), {});
}

const Ports &Model::reset(uint64_t seed) {
    if (ports.model) ports.close(ports.model);
    const auto open = reinterpret_cast<void (*)(Ports *, unsigned)>(dlsym(library, "fuzz_open"));
    open(&ports, static_cast<unsigned>(seed) | 1);
    return ports;
}

Model::~Model() {
    if (ports.model) ports.close(ports.model);
    dlclose(library);
}

}  // namespace argent::fuzz
