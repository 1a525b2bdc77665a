// Writes every case of Cases.h as a stage and one top module that holds them all:  operators_generate <file.v> <file.txt> <file.inc>
// The text file has one line a case: name, latency. The include file lists the model's outputs for run.cpp.

#include <fstream>
#include <iostream>

#include "Cases.h"
#include "hwgen/ir/Part.h"
#include "hwgen/passes/datapath/BalanceDatapath.h"
#include "hwgen/passes/datapath/BuildDatapath.h"
#include "hwgen/passes/datapath/FoldDatapath.h"
#include "hwgen/passes/datapath/MultiplyByDigits.h"
#include "hwgen/passes/emit/EmitStage.h"

using namespace argent::hwgen;
namespace v = argent::verilog;

int main(int argc, char **argv) {
    if (argc != 4) {
        std::cerr << "usage: operators_generate <file.v> <file.txt> <file.inc>\n";
        return 2;
    }
    Operands operands;
    std::vector<Case> cases = all_cases(operands);
    std::ofstream verilog(argv[1]), list(argv[2]), ports(argv[3]);

    StageSource source;
    source.vars = {"x"};
    std::vector<char> letter;
    for (const auto &[key, image] : operands.images) {
        source.producers[image.name()] = static_cast<int>(letter.size());
        letter.push_back(key.first);
    }

    const int count = static_cast<int>(cases.size());
    v::Module top;
    top.name = "operators";
    top.comment = "All cases, 64 bits of output each, extended by the sign of the stage's interval.";
    top.ports.push_back({v::Direction::Input, "clk", 1, ""});
    for (const char *name : {"a", "b", "c"}) top.ports.push_back({v::Direction::Input, name, 64, ""});
    const char *families[] = {"xc7", "xcup", "ecp5"};
    const double periods[] = {3.0, 5.0, 10.0, 40.0};
    int failures = 0;
    for (int i = 0; i < count; ++i) {
        const Case &c = cases[i];
        try {
            source.value = c.value;
            Datapath d = build_datapath(source);
            if (i % 5 != 0) d = balance_datapath(d);   // and some as they come
            d = fold_datapath(d);
            d = multiply_by_digits(d, part(families[i % 3]));
            Schedule s = pipeline_datapath(d, part(families[i % 3]), periods[(i / 3) % 4]);
            StageModule m = emit_stage(d, s, "op_" + c.name, c.name);
            verilog << v::print(m.module) << "\n";
            list << c.name << " " << m.latency << "\n";

            v::Instance instance;
            instance.module = m.module.name;
            instance.name = "u_" + c.name;
            instance.connections.push_back({"clk", v::name("clk", 1)});
            for (const StagePort &p : m.inputs) {
                std::string operand(1, letter[d.leaves()[p.leaf].producer]);
                instance.connections.push_back({p.name, v::slice(v::name(operand, 64), p.width - 1, 0)});
            }
            v::Expr result = v::name("r_" + c.name, m.output_width);
            top.items.push_back(v::Wire{"r_" + c.name, m.output_width, {}, ""});
            instance.connections.push_back({m.outputs[0], result});
            top.items.push_back(instance);
            const std::string port = "o_" + std::to_string(i);
            top.ports.push_back({v::Direction::Output, port, 64, c.name});
            top.items.push_back(v::Assign{v::name(port, 64), m.output_range.is_signed() ? v::sign_extend(result, 64) : v::zero_extend(result, 64), ""});
            ports << "&top." << port << ",\n";
        } catch (const std::exception &e) {
            std::cerr << c.name << ": " << e.what() << "\n";
            ++failures;
        }
    }
    if (failures) {
        std::cerr << failures << " of " << count << " cases have no hardware\n";
        return 1;
    }
    verilog << v::print(top);
    std::cout << count << " cases\n";
}
