#include <doctest/doctest.h>

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "Pieces.h"
#include "dsl/Emit.h"

using namespace Halide;
using namespace argent::test;
namespace fs = std::filesystem;

namespace {

struct Folder {
    Folder() {
        std::string name = (fs::temp_directory_path() / "argent_emit_XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Folder() { fs::remove_all(path); }
    fs::path path;
};

std::string names(const std::map<std::string, std::string> &files) {
    std::string text;
    for (const auto &[name, contents] : files) text += name + "\n";
    return text;
}

int files_in(const fs::path &folder) {
    int count = 0;
    for (const auto &entry : fs::recursive_directory_iterator(folder)) count += entry.is_regular_file();
    return count;
}

std::vector<argent::hwgen::Design> designs() {
    Func in = source(), out("out");
    Var x("x"), y("y");
    out(x, y) = in(x, y - 1) + in(x, y + 1);
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    return partitioned(out).designs;
}

}  // namespace

TEST_CASE("emit: each kind has its files, and nothing else") {
    const auto all = designs();
    CHECK(names(argent::dsl::emitted_files("f", all, {})) == "");
    CHECK(names(argent::dsl::emitted_files("f", all, {"manifest"})) == "f/manifest.json\n");
    CHECK(names(argent::dsl::emitted_files("f", all, {"report"})) == "f/report.html\nf/report.json\n");
    CHECK(names(argent::dsl::emitted_files("f", all, {"driver"})) == "f/driver/f_driver.c\nf/driver/f_driver.h\n");
    CHECK(names(argent::dsl::emitted_files("f", all, {"sim"})) == "f/sim/f_sim.cpp\n");
    const std::string rtl = names(argent::dsl::emitted_files("f", all, {"verilog"}));
    for (const char *file : {"pipeline.v", "pipeline_core.v", "ag_line_memory.v", "ag_axi_read.v"}) {
        CHECK_MESSAGE(rtl.find(std::string("f/rtl/") + file + "\n") != std::string::npos, file, " is not in\n", rtl);
    }
    CHECK(rtl.find("ag_div.v") == std::string::npos);   // nobody divides
}

TEST_CASE("emit: modules do not name the folder of the user's source") {
    for (const auto &[name, text] : argent::dsl::emitted_files("f", designs(), argent::dsl::output_kinds())) {
        CAPTURE(name);
        CHECK(text.find(std::string(__FILE__).substr(0, std::string(__FILE__).rfind('/') + 1)) == std::string::npos);
    }
}

TEST_CASE("write_files: all of them, in new folders, over old ones") {
    Folder folder;
    argent::dsl::write_files((folder.path / "new").string(), {{"a.txt", "1"}, {"deep/b.txt", "2"}});
    argent::dsl::write_files((folder.path / "new").string(), {{"a.txt", "3"}});
    CHECK(files_in(folder.path) == 2);
    std::string text;
    std::ifstream(folder.path / "new/a.txt") >> text;
    CHECK(text == "3");
}

TEST_CASE("write_files: none of them when one cannot be written") {
    Folder folder;
    std::ofstream(folder.path / "taken") << "a file";
    CHECK_THROWS(argent::dsl::write_files(folder.path.string(), {{"a.txt", "1"}, {"taken/b.txt", "2"}}));
    CHECK(files_in(folder.path) == 1);
    fs::create_directory(folder.path / "z.txt");
    try {
        argent::dsl::write_files(folder.path.string(), {{"a.txt", "1"}, {"z.txt", "2"}});
        FAIL("no error");
    } catch (const std::runtime_error &e) {
        CHECK(std::string(e.what()) == "cannot write " + (folder.path / "z.txt").string() + ": Is a directory");
    }
    CHECK(files_in(folder.path) == 1);
    CHECK_THROWS(argent::dsl::write_files("/proc/nowhere", {{"a.txt", "1"}}));
}
