#include "sim/runner/Measured.h"

#include <fmt/format.h>

#include <fstream>

#include "argent_platform.h"
#include "report/Report.h"
#include "sim/runner/Pictures.h"

namespace argent::runner {

void write_report(const std::filesystem::path &source, const std::filesystem::path &html, const Measured &run) {
    std::ifstream in(source);
    if (!in) bad_use(fmt::format("{} cannot be read; --report needs what the compiler wrote there", source.string()));
    try {
        auto report = nlohmann::ordered_json::parse(in);
        for (auto &a : report.at("accelerators")) {
            const LaunchLog *last = nullptr;
            for (const LaunchLog &l : run.launches)
                if (l.accelerator == a.at("name")) last = &l;
            if (last == nullptr) continue;
            a["measured"] = measured_json(run.manifest, *last, run.device);
            if (run.difference != nullptr) a["measured"]["compare"] = {{"elements", run.difference->elements}, {"different", run.difference->different}};
            if (const char *board = argent_platform_timeline()) a["measured"]["on_board"] = nlohmann::ordered_json::parse(board);
            if (a.contains("traffic"))
                for (auto &t : a["traffic"])
                    for (const PortUse &p : last->ports)
                        if (p.name == t.value("port", "")) t["stalls"] = p.stalled;
            a["pictures"] = picture_list(run.hardware, run.expected);
        }
        std::filesystem::path data = html;
        data.replace_extension(".json");
        std::ofstream(data) << report.dump(1) << "\n";
        std::ofstream out(html);
        out << report_html(report);
        if (!out.flush()) bad_use(fmt::format("{} could not be written", html.string()));
    } catch (const std::exception &e) {
        bad_use(fmt::format("{}: {}", source.string(), e.what()));
    }
}

}  // namespace argent::runner
