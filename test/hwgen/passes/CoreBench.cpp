#include "CoreBench.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <sstream>

#include "hwgen/passes/datapath/BuildDatapath.h"

namespace fs = std::filesystem;
using namespace argent::hwgen;

namespace {

std::string read(const fs::path &p) {
    std::ifstream in(p);
    return {std::istreambuf_iterator<char>(in), {}};
}

/** What a command prints; its exit status. */
std::pair<std::string, int> run(const fs::path &folder, const std::string &command) {
    const int status = std::system(("cd '" + folder.string() + "' && (" + command + ") > log 2>&1 < /dev/null").c_str());
    return {read(folder / "log"), WIFEXITED(status) ? WEXITSTATUS(status) : 255};
}

struct Folder {
    Folder() {
        std::string name = (fs::temp_directory_path() / "argent_core_XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        if (!std::getenv("ARGENT_KEEP")) fs::remove_all(path, ignored);
    }
    fs::path path;
};

void write(const fs::path &folder, const std::map<std::string, std::string> &files) {
    for (const auto &[name, text] : files) std::ofstream(folder / name) << text;
}

std::string hex(Wide value, int bits) {
    unsigned __int128 v = static_cast<unsigned __int128>(value);
    std::string digits;
    for (int i = 0; i < (bits + 3) / 4; i++, v >>= 4) digits.insert(digits.begin(), "0123456789abcdef"[static_cast<int>(v & 15)]);
    return digits;
}

Wide random_value(std::mt19937_64 &random, Interval range) {
    switch (random() % 8) {
    case 0: return range.lo;
    case 1: return range.hi;
    default: {
        const unsigned __int128 span = static_cast<unsigned __int128>(range.hi - range.lo) + 1;
        const unsigned __int128 r = (static_cast<unsigned __int128>(random()) << 64) | random();
        return range.lo + static_cast<Wide>(r % span);
    }
    }
}

/** The names of a module's last ports: the params come behind everything else. */
std::vector<std::string> last_ports(const std::string &verilog, size_t count) {
    std::istringstream lines(verilog.substr(0, verilog.find(");")));
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) {
        const size_t port = line.find("put ");
        if (port == std::string::npos || line.find("//") < port) continue;
        std::istringstream words(line.substr(0, line.find("//")));
        std::string name;
        for (std::string word; words >> word;) name = word;
        names.push_back(name.substr(0, name.find(',')));
    }
    return {names.end() - static_cast<long>(count), names.end()};
}

size_t func_of(const Region &region, const std::string &name) {
    const auto is_it = [&](const Func &f) { return f.name == name; };
    return std::find_if(region.funcs.begin(), region.funcs.end(), is_it) - region.funcs.begin();
}

/** What one output of a core has to give. */
struct ExpectedStream {
    std::string func;
    int bits = 0;
    std::vector<std::string> elements, places;   // in hexadecimal; where each is
};

/** The first difference to the words of `got`, one on each line; "" if there is none. Lanes beyond a row are not looked at. */
std::string differs(const ExpectedStream &expected, const std::vector<CoreLaunch> &launches, int lanes, const std::string &words) {
    std::istringstream got(words);
    size_t element = 0;
    for (const CoreLaunch &l : launches) {
        for (int y = 0; y < l.height; y++) {
            for (int x = 0; x < l.width; x += lanes) {
                std::string word;
                if (!(got >> word)) return "the core gives only " + std::to_string(element) + " elements of " + expected.func + ", not " + std::to_string(expected.elements.size());
                for (int lane = 0; lane < lanes && x + lane < l.width; lane++, element++) {
                    const std::string value = word.substr((lanes - 1 - lane) * expected.bits, expected.bits);
                    Wide v = 0;
                    for (char c : value) v = 2 * v + (c == '1');
                    const bool is_known = value.find_first_not_of("01") == std::string::npos;
                    const std::string text = is_known ? hex(v, expected.bits) : value;
                    if (text != expected.elements[element]) return expected.places[element] + ": expected " + expected.elements[element] + ", got " + text;
                }
            }
        }
    }
    std::string more;
    return got >> more ? "the core gives more words of " + expected.func + " than there are" : "";
}

/** The region's elements, each Func by itself and each element from its expression. */
class Reference {
public:
    explicit Reference(const Region &region) : region(region) {
        StageSource source;
        for (const Param &p : region.params) source.params[p.variable] = p.range;
        for (const TableSource &t : region.tables) source.tables[t.name] = &t;
        for (size_t i = 0; i < region.funcs.size(); i++) {
            const Func &f = region.funcs[i];
            datapaths.emplace_back();
            if (f.kind == Func::Kind::Stage) {
                source.value = f.value;
                source.vars = f.vars;
                datapaths.back() = build_datapath(source);
            }
            source.producers[f.name] = static_cast<int>(i);
        }
    }

    std::map<std::string, Wide> params;
    std::vector<std::map<std::pair<int, int>, Wide>> elements;   // of each Func, at offsets from the output's minimum
    int min_x = 0, min_y = 0;

    Wide at(int func, int x, int y) {
        const auto known = elements[func].find({x, y});
        if (known != elements[func].end()) return known->second;
        const Datapath &d = datapaths[func];
        // An input's element that is not in its box: the compiler has found that nothing depends on it.
        if (d.outputs.empty()) return 0;
        std::vector<Wide> values;
        for (const Leaf &l : d.leaves()) {
            switch (l.kind) {
            case Leaf::Kind::Tap: values.push_back(at(l.producer, x + l.offset[0], y + l.offset[1])); break;
            case Leaf::Kind::Coord: values.push_back(l.dim == 0 ? min_x + x : min_y + y); break;
            case Leaf::Kind::Param: values.push_back(params.at(l.name)); break;
            }
        }
        return elements[func][{x, y}] = evaluate(d, values)[0];
    }

private:
    const Region &region;
    std::vector<Datapath> datapaths;
};

}  // namespace

bool has_icarus() {
    return std::system("iverilog -V > /dev/null 2>&1") == 0;
}

std::string lint(const Design &design) {
    Folder folder;
    write(folder.path, design.rtl);
    std::string found;
    const auto [verilator, failed] = run(folder.path, "verilator --lint-only -Wall --top-module " + design.name + " *.v");
    if (failed || !verilator.empty()) found += "verilator:\n" + verilator;
    const auto [icarus, wrong] = run(folder.path, "iverilog -g2001 -Wall -t null -s " + design.name + " *.v");
    if (wrong || !icarus.empty()) found += "iverilog:\n" + icarus;
    return found;
}

std::string run_core(const Region &region, const std::vector<CoreLaunch> &launches, bool stalls, unsigned seed) {
    const Design design = lower(region);
    const int lanes = region.pixels;
    Folder folder;
    write(folder.path, design.rtl);
    std::mt19937_64 random(seed);
    Reference reference(region);

    // Stimulus and what has to come.
    std::vector<std::string> words(region.funcs.size());
    std::vector<int> counts(region.funcs.size(), 0);
    std::vector<ExpectedStream> expected;
    for (const std::string &func : region.outputs) expected.push_back({func, region.funcs[func_of(region, func)].type.bits(), {}, {}});
    std::vector<std::map<std::string, Wide>> params;   // of each launch; one at once has those in front of it
    for (const CoreLaunch &launch : launches) {
        if (!launch.at_once) {
            for (const Param &p : region.params) reference.params[p.variable] = random_value(random, p.range);
        }
        params.push_back(reference.params);
        reference.elements.assign(region.funcs.size(), {});
        reference.min_x = launch.min_x;
        reference.min_y = launch.min_y;
        for (size_t i = 0; i < region.funcs.size() && region.funcs[i].kind == Func::Kind::Input; i++) {
            const Needed &needs = design.input_needs.at(region.funcs[i].name).at(0).of.at(0);
            const Box box = {{needs.first[0].at(0), needs.last[0].at(0)}, {needs.first[1].at(0), needs.last[1].at(0)}};
            const Interval range = Interval::of(region.funcs[i].type);
            const int columns = launch.width + box[0].max - box[0].min, rows = launch.height + box[1].max - box[1].min;
            for (int row = 0; row < rows; row++) {
                for (int vector = 0; vector * lanes < columns; vector++) {
                    std::string bits;
                    for (int lane = 0; lane < lanes; lane++) {
                        const Wide v = random_value(random, range);
                        reference.elements[i][{box[0].min + vector * lanes + lane, box[1].min + row}] = v;
                        std::string binary;
                        for (int b = region.funcs[i].type.bits() - 1; b >= 0; b--) binary += (v >> b) & 1 ? '1' : '0';
                        bits = binary + bits;
                    }
                    words[i] += bits + "\n";
                    counts[i]++;
                }
            }
        }
        for (ExpectedStream &out : expected) {
            const int func = func_of(region, out.func);
            for (int y = 0; y < launch.height; y++) {
                for (int x = 0; x < launch.width; x++) {
                    out.elements.push_back(hex(reference.at(func, x, y) & ((Wide(1) << out.bits) - 1), out.bits));
                    out.places.push_back(out.func + " of launch " + std::to_string(&launch - &launches[0]) + " (" + std::to_string(launch.width) + "x" +
                                         std::to_string(launch.height) + ") at " + std::to_string(x) + ", " + std::to_string(y));
                }
            }
        }
    }

    // The bench.
    const auto &manifest = design.manifest;
    std::ostringstream b, pins;
    const auto bits = [&](const char *name) {
        for (const auto &r : manifest["registers"]) {
            if (r["name"] == name) return r["bits"].get<int>();
        }
        return 0;
    };
    b << "module bench;\nreg clk = 0, rst = 1, start = 0; wire busy, wait_in, wait_out; integer seed = " << seed << ";\n"
      << "always #1 clk = ~clk;\nreg [" << bits("width") - 1 << ":0] width; reg [" << bits("height") - 1 << ":0] height;\n";
    pins << ".clk(clk), .rst(rst), .start(start), .busy(busy), .wait_in(wait_in), .wait_out(wait_out), .width(width), .height(height)";
    for (const char *min : {"min_x", "min_y"}) {
        if (!bits(min)) continue;
        b << "reg [31:0] " << min << ";\n";
        pins << ", ." << min << "(" << min << ")";
    }
    const std::vector<std::string> param_ports = last_ports(design.rtl.at(region.name + "_core.v"), region.params.size());
    for (size_t i = 0; i < region.params.size(); i++) {
        b << "reg [" << region.params[i].range.bits() - 1 << ":0] param" << i << ";\n";
        pins << ", ." << param_ports[i] << "(param" << i << ")";
    }
    std::vector<std::string> ports;   // ids of the streams
    for (const auto &image : manifest["inputs"]) ports.push_back(image["port"].get<std::string>().substr(6));
    for (size_t i = 0; i < ports.size(); i++) {
        const int width = region.funcs[i].type.bits() * lanes;
        std::ofstream(folder.path / ("in" + std::to_string(i))) << words[i];
        b << "reg [" << width - 1 << ":0] mem" << i << " [0:" << counts[i] - 1 << "]; initial $readmemb(\"in" << i << "\", mem" << i << ");\n"
          << "integer at" << i << " = 0; reg valid" << i << " = 0; wire ready" << i << ";\n"
          << "always @(posedge clk) begin\n  if (valid" << i << " && ready" << i << ") at" << i << " <= at" << i << " + 1;\n"
          << "  if (!valid" << i << " || ready" << i << ") valid" << i << " <= at" << i << " + (valid" << i << " && ready" << i << ") < " << counts[i]
          << (stalls ? " && $random(seed) % 4 != 0" : "") << ";\nend\n";
        pins << ", ." << ports[i] << "_valid(valid" << i << "), ." << ports[i] << "_ready(ready" << i << "), ." << ports[i] << "_data(valid" << i
             << " ? mem" << i << "[at" << i << "] : {" << width << "{1'bx}})";
    }
    for (size_t k = 0; k < expected.size(); k++) {
        const auto &outputs = manifest["outputs"];   // in the order of the Funcs
        const auto output = std::find_if(outputs.begin(), outputs.end(), [&](const auto &o) { return o["name"] == expected[k].func; });
        const std::string id = (*output)["port"].get<std::string>().substr(6), n = std::to_string(k);
        b << "integer file" << n << "; wire out_valid" << n << "; reg out_ready" << n << " = 0; wire [" << expected[k].bits * lanes - 1 << ":0] out_data" << n << ";\n"
          << "initial file" << n << " = $fopen(\"out" << n << "\");\n"
          << "always @(posedge clk) begin\n  out_ready" << n << " <= " << (stalls ? "$random(seed) % 3 != 0" : "1") << ";\n"
          << "  if (out_valid" << n << " && out_ready" << n << " && !rst) $fdisplay(file" << n << ", \"%b\", out_data" << n << ");\nend\n";
        pins << ", ." << id << "_valid(out_valid" << n << "), ." << id << "_ready(out_ready" << n << "), ." << id << "_data(out_data" << n << ")";
    }
    b << region.name << "_core dut (" << pins.str() << ");\n"
      << "initial begin\n  repeat (3) @(posedge clk);\n  rst <= 0;\n";
    const auto set_params = [&](size_t launch) {
        for (size_t i = 0; i < region.params.size(); i++) {
            const Param &p = region.params[i];
            const int width = p.range.bits();
            b << " param" << i << " <= " << width << "'h" << hex(params[launch].at(p.variable) & ((Wide(1) << width) - 1), width) << ";";
        }
    };
    // No longer than until busy falls.
    const auto lose_params = [&] {
        for (size_t i = 0; i < region.params.size(); i++) b << "  param" << i << " <= {" << region.params[i].range.bits() << "{1'bx}};\n";
    };
    for (const CoreLaunch &l : launches) {
        if (!l.at_once) {
            b << "  repeat (30) @(posedge clk);\n  width <= " << l.width << "; height <= " << l.height << ";";
            if (bits("min_x")) b << " min_x <= " << l.min_x << ";";
            if (bits("min_y")) b << " min_y <= " << l.min_y << ";";
            set_params(&l - launches.data());
            b << "\n  repeat (5) @(posedge clk);\n";
        }
        b << "  start <= 1; @(posedge clk); start <= 0; @(posedge clk); #0.5 while (busy) begin @(posedge clk); #0.5; end\n";
        if (&l == &launches.back() || !(&l)[1].at_once) lose_params();
    }
    b << "  repeat (30) @(posedge clk);\n  $finish;\nend\n"
      << "initial begin #2000000 $display(\"the core hangs: busy %b wait_in %b wait_out %b\", busy, wait_in, wait_out); $finish; end\nendmodule\n";
    std::ofstream(folder.path / "bench.v") << "`timescale 1ns/1ps\n" << b.str();

    const auto [compiled, failed] = run(folder.path, "iverilog -g2001 -o bench -s bench *.v");
    if (failed) return "iverilog: " + compiled;
    const auto [said, broke] = run(folder.path, "vvp -n bench");
    if (broke || !said.empty()) return "vvp: " + said;

    for (size_t k = 0; k < expected.size(); k++) {
        const std::string difference = differs(expected[k], launches, lanes, read(folder.path / ("out" + std::to_string(k))));
        if (!difference.empty()) return difference;
    }
    return "";
}
