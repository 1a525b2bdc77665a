#include "Glue.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace argent::sim {

namespace {

/** The C++ name that Verilator gives a port; or what the names of several begin with, if it ends in an underscore and none of
 *  them goes on with one. */
std::string verilator_name(const std::string &port) {
    std::string out;
    for (size_t i = 0; i < port.size(); i++) {
        if (port[i] == '_' && i + 1 < port.size() && port[i + 1] == '_') {
            out += "___05F";
            i++;
        } else {
            out += port[i];
        }
    }
    return out;
}

std::string bind_port(const nlohmann::json &image, bool writes, int max_burst) {
    std::string port = image.at("port"), v = verilator_name(port + "_"), text;
    auto line = [&](const std::string &s) { text += "    " + s + "\n"; };
    char a = writes ? 'w' : 'r';
    line("{");
    line("    PortPins &p = pins->ports[pins->port_count++];");
    line(fmt::format("    p.name = \"{}\";", port));
    line(fmt::format("    p.writes = {};", writes));
    line(fmt::format("    p.bus_bytes = {};", image.at("bus_bytes").get<int>()));
    line(fmt::format("    p.max_burst = {};", max_burst));
    line(fmt::format("    p.address_bytes = sizeof m->{}a{}addr;", v, a));
    line(fmt::format("    p.aaddr = &m->{}a{}addr;", v, a));
    for (const char *pin : {"valid", "ready", "len", "size", "burst", "cache", "prot"})
        line(fmt::format("    p.a{0} = &m->{1}a{2}{0};", pin, v, a));
    if (writes) {
        line(fmt::format("    p.strobe_bytes = sizeof m->{}wstrb;", v));
        for (const char *pin : {"wvalid", "wready", "wlast", "wdata", "wstrb", "bvalid", "bready", "bresp"})
            line(fmt::format("    p.{0} = &m->{1}{0};", pin, v));
    } else {
        for (const char *pin : {"rvalid", "rready", "rlast", "rresp", "rdata"}) line(fmt::format("    p.{0} = &m->{1}{0};", pin, v));
    }
    line("}");
    return text;
}

std::string bind_stream(const nlohmann::json &image, bool writes) {
    std::string port = image.at("port"), v = verilator_name(port + "_"), text;
    auto line = [&](const std::string &s) { text += "    " + s + "\n"; };
    line("{");
    line("    argent::sim::StreamPins &p = pins->streams[pins->stream_count++];");
    line(fmt::format("    p.name = \"{}\";", port));
    line(fmt::format("    p.writes = {};", writes));
    line(fmt::format("    p.bus_bytes = {};", image.at("bus_bytes").get<int>()));
    for (const char *pin : {"tvalid", "tready", "tlast", "tuser", "tdata"}) line(fmt::format("    p.{0} = &m->{1}{0};", pin, v));
    if (image.at("tkeep").get<bool>()) line(fmt::format("    p.tkeep = &m->{}tkeep;", v));
    line("}");
    return text;
}

std::string bind_image(const nlohmann::json &image, bool writes, int max_burst) {
    if (image.value("kind", "memory") == "stream") return bind_stream(image, writes);
    return bind_port(image, writes, image.value("max_burst", max_burst));
}

/** The nets of a core that tell how a FIFO between its timelines is doing, by the fields of ChannelNets. */
std::vector<std::pair<const char *, std::string>> channel_nets(const nlohmann::json &fifo) {
    const std::string writer = fifo.at("writer"), reader = fifo.at("reader");
    return {{"valid", fifo.at("stream").get<std::string>() + "_valid"}, {"writer_wait_in", writer + "_wait_in"},
            {"writer_wait_out", writer + "_wait_out"}, {"reader_wait_in", reader + "_wait_in"}};
}

const nlohmann::json &fifos_of(const nlohmann::json &accelerator) {
    static const nlohmann::json none = nlohmann::json::array();
    return accelerator.contains("fifos") ? accelerator["fifos"] : none;
}

std::string bind_channel(const nlohmann::json &fifo, const std::string &accelerator) {
    std::string text;
    auto line = [&](const std::string &s) { text += "    " + s + "\n"; };
    line("{");
    line("    argent::sim::ChannelNets &c = pins->channels[pins->channel_count++];");
    for (const char *field : {"name", "writer", "reader"}) line(fmt::format("    c.{} = \"{}\";", field, fifo.at(field).get<std::string>()));
    for (const auto &[field, net] : channel_nets(fifo)) {
        line(fmt::format("    c.{} = &m->rootp->{}__DOT___core__DOT__{};", field, verilator_name(accelerator), verilator_name(net)));
    }
    line("}");
    return text;
}

/** Clocks that a launch of the largest block takes; 0 where the manifest does not say. */
uint64_t clocks_of_block(const nlohmann::json &accelerator) { return accelerator.value("/clocks/at_block"_json_pointer, uint64_t(0)); }

std::string bind_control() {
    std::string text;
    auto line = [&](const std::string &s) { text += "    " + s + "\n"; };
    line("argent::sim::ControlPins &c = pins->control;");
    line("c.clk = &m->ap_clk;");
    line("c.rst_n = &m->ap_rst_n;");
    line("c.interrupt = &m->irq;");
    line("c.begins = &m->launch_begins;");
    line("c.ends = &m->launch_ends;");
    for (const char *pin : {"awaddr", "awprot", "awvalid", "awready", "wdata", "wstrb", "wvalid", "wready", "bresp", "bvalid", "bready",
                            "araddr", "arprot", "arvalid", "arready", "rdata", "rresp", "rvalid", "rready"})
        line(fmt::format("c.{0} = &m->s_axi_control_{0};", pin));
    return text;
}

}  // namespace

std::string emit_sim_glue(const nlohmann::json &manifest) {
    std::string text = fmt::format("// Simulation of {}, made by Argent {} from its manifest.\n", manifest.at("function").get<std::string>(),
                                   manifest.value("argent", "")) +
                       "#include <verilated.h>\n#include <verilated_fst_c.h>\n\n#include <argent_sim.h>\n#include <argent_sim_pins.h>\n\n";
    for (const auto &a : manifest.at("accelerators")) {
        const std::string name = a.at("name");
        text += fmt::format("#include \"V{}.h\"\n", name);
        if (!fifos_of(a).empty()) text += fmt::format("#include \"V{}___024root.h\"\n", name);
    }
    text += "\nnamespace {\n\nusing argent::sim::PortPins;\n";
    for (const auto &a : manifest.at("accelerators")) {
        std::string name = a.at("name");
        int max_burst = a.contains("axi") ? a["axi"].value("max_burst", 16) : 16;
        text += fmt::format("\nusing Model_{0} = V{0};\n\nvoid bind_{0}(void *model, argent::sim::Pins *pins) {{\n"
                            "    auto *m = static_cast<Model_{0} *>(model);\n",
                            name);
        text += bind_control();
        for (const auto &i : a.at("inputs")) text += bind_image(i, false, max_burst);
        for (const auto &o : a.at("outputs")) text += bind_image(o, true, max_burst);
        for (const auto &f : fifos_of(a)) text += bind_channel(f, name);
        text += fmt::format("    pins->clocks_of_block = {};\n}}\n", clocks_of_block(a));
        text += fmt::format(R"(
const argent::sim::ModelFunctions functions_{0} = {{
    [](VerilatedContext *context) -> void * {{ return new Model_{0}(context, "{0}"); }},
    [](void *model) {{
        static_cast<Model_{0} *>(model)->final();
        delete static_cast<Model_{0} *>(model);
    }},
    bind_{0},
    [](void *model) {{ static_cast<Model_{0} *>(model)->eval(); }},
#if VM_TRACE
    [](void *model, VerilatedFstC *file) {{ static_cast<Model_{0} *>(model)->trace(file, 99); }},
#else
    nullptr,
#endif
}};

struct Register_{0} {{
    argent_sim_model model;
    Register_{0}() {{
        argent_sim_make_model(&model, "{0}", &functions_{0});
        argent_sim_register(&model);
    }}
}} register_{0};
)",
                            name);
    }
    text += "\n}  // namespace\n\n";
    for (const auto &a : manifest.at("accelerators"))
        text += fmt::format("extern \"C\" void argent_sim_link_{0}() {{}}\n", a.at("name").get<std::string>());
    return text;
}

std::string emit_sim_control(const nlohmann::json &manifest) {
    std::string text;
    for (const auto &a : manifest.at("accelerators")) {
        for (const auto &f : fifos_of(a)) {
            for (const auto &[field, net] : channel_nets(f)) text += fmt::format("public_flat_rd -module \"{}\" -var \"{}\"\n", a.at("core").get<std::string>(), net);
        }
    }
    return text.empty() ? text : "`verilator_config\n" + text;
}

}  // namespace argent::sim
