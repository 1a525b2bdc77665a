/** \file
 * main() of every generator executable: stock Halide's command line, with `-e verilog,driver,manifest,report,sim,mock` besides,
 * and the pseudo parameters argent=cpu (nothing accelerated: the golden model) and argent.board=<name>. */

#include <exception>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "dsl/Emit.h"
#include "dsl/Generator.h"

namespace {

using argent::dsl::PartitionedGenerator;

struct Arguments {
    std::vector<std::string> for_halide;   // without what is ours
    std::set<std::string> kinds;           // of -e, ours
    bool halide_emits = true;
    std::string generator, function, folder, target = "host", board;
    std::vector<std::pair<std::string, std::string>> params;
    bool cpu_only = false;
};

std::vector<std::string> split_at_commas(const std::string &list) {
    std::vector<std::string> items;
    std::istringstream in(list);
    for (std::string item; std::getline(in, item, ',');) items.push_back(item);
    return items;
}

Arguments parse(int argc, char **argv) {
    Arguments a;
    a.for_halide.push_back(argv[0]);
    for (int i = 1; i < argc; i++) {
        const std::string arg = argv[i];
        const std::string value = i + 1 < argc ? argv[i + 1] : "";
        if (arg == "-e") {
            i++;
            std::string rest;
            for (const std::string &kind : split_at_commas(value)) {
                if (argent::dsl::output_kinds().count(kind)) a.kinds.insert(kind);
                else rest += (rest.empty() ? "" : ",") + kind;
            }
            a.halide_emits = !rest.empty();
            if (a.halide_emits) a.for_halide.insert(a.for_halide.end(), {"-e", rest});
            continue;
        }
        if (arg == "argent=cpu") {
            a.cpu_only = true;
            continue;
        }
        if (arg.rfind("argent.board=", 0) == 0) {
            a.board = arg.substr(std::string("argent.board=").size());
            continue;
        }
        if (arg == "-g") a.generator = value;
        if (arg == "-f") a.function = value;
        if (arg == "-o") a.folder = value;
        const size_t equals = arg.find('=');
        if (arg[0] != '-' && equals != std::string::npos) {
            if (arg.substr(0, equals) == "target") a.target = arg.substr(equals + 1);
            else a.params.emplace_back(arg.substr(0, equals), arg.substr(equals + 1));
        }
        a.for_halide.push_back(arg);
    }
    return a;
}

/** Halide's registered generators, told what the command line says of acceleration. */
class Provider : public Halide::Internal::GeneratorFactoryProvider {
public:
    explicit Provider(const Arguments &arguments) : arguments(arguments) {}

    std::vector<std::string> enumerate() const override {
        return Halide::Internal::get_registered_generators().enumerate();
    }

    Halide::Internal::AbstractGeneratorPtr create(const std::string &name,
                                                  const Halide::GeneratorContext &context) const override {
        auto made = Halide::Internal::get_registered_generators().create(name, context);
        if (auto *partitioned = dynamic_cast<PartitionedGenerator *>(made.get())) {
            partitioned->options.function = arguments.function.empty() ? name : arguments.function;
            partitioned->options.board = arguments.board;
            partitioned->options.cpu_only = arguments.cpu_only;
            partitioned->when_built = [this](const argent::dsl::Partitioned &p) {
                designs = p.designs;
                on_cpu = p.on_cpu;
            };
            partitioned->when_wrong = [](const argent::Error &e) {
                std::cerr << e.what() << std::flush;
                std::exit(1);   // before Halide has written anything
            };
        }
        return made;
    }

    mutable std::vector<argent::hwgen::Design> designs;
    mutable std::vector<argent::dsl::OnCpu> on_cpu;

private:
    const Arguments &arguments;
};

/** Builds the pipeline for our outputs alone. */
void build(const Arguments &a, const Provider &provider) {
    auto generator = provider.create(a.generator, Halide::GeneratorContext(Halide::Target(a.target)));
    if (!generator) throw std::runtime_error("there is no generator " + a.generator);
    for (const auto &[name, value] : a.params) generator->set_generatorparam_value(name, value);
    generator->build_pipeline();
}

int refuse(std::string text) {
    const std::string prefix = "Error: ";   // Halide's own
    if (text.rfind(prefix, 0) == 0) text.erase(0, prefix.size());
    while (!text.empty() && text.back() == '\n') text.pop_back();
    std::cerr << "argent: error: " << text << "\n";
    return 1;
}

}  // namespace

int main(int argc, char **argv) {
    try {
        Arguments a = parse(argc, argv);
        const Provider provider(a);
        if (a.generator.empty() && provider.enumerate().size() == 1) a.generator = provider.enumerate()[0];
        if (a.function.empty()) a.function = a.generator;
        if (!a.kinds.empty() && a.folder.empty()) {
            std::cerr << "argent: error: -e verilog, driver, manifest, report, sim and mock need -o <folder>\n";
            return 1;
        }
        if (a.halide_emits || a.generator.empty()) {
            std::vector<char *> args;
            for (std::string &s : a.for_halide) args.push_back(s.data());
            const int status = Halide::Internal::generate_filter_main(static_cast<int>(args.size()), args.data(), provider);
            if (status != 0 || a.kinds.empty()) return status;
        } else {
            build(a, provider);
        }
        for (const argent::hwgen::Design &d : provider.designs) {
            for (const auto &w : d.report["warnings"]) std::cerr << d.name << ": warning: " << w.get<std::string>() << "\n";
        }
        std::map<std::string, std::string> files = argent::dsl::emitted_files(a.function, provider.designs, a.kinds);
        if (a.kinds.count("mock")) files.merge(argent::dsl::emitted_mock(a.function, provider.designs, provider.on_cpu, Halide::Target(a.target)));
        argent::dsl::write_files(a.folder, files);
        return 0;
    } catch (const Halide::Error &e) {   // which is no std::exception
        return refuse(e.what());
    } catch (const std::exception &e) {
        return refuse(e.what());
    }
}
