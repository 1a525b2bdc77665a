#ifndef ARGENT_TEST_HWGEN_CLOCKS_CERTIFICATE_H
#define ARGENT_TEST_HWGEN_CLOCKS_CERTIFICATE_H

#include <map>
#include <nlohmann/json.hpp>
#include <string>

/** Checks the "certificate" of one accelerator in report.json with the numbers that stand there and nothing else: that no
 *  schedule of the scan buffers fewer bits. Says what is wrong, or nothing.
 *
 *  Primal: minimise sum cost v with v[to] - v[from] >= rows * pitch + cols. Dual: flows >= 0 along the constraints, of
 *  which each variable takes in what it costs. Any flow bounds the objective from below by sum flow * weight; where the
 *  two are equal, both are optimal. */
inline std::string wrong_with_certificate(const nlohmann::json &certificate) {
    const long pitch = certificate.at("pitch");
    const auto positions = [&](const nlohmann::json &d) { return d.at("rows").get<long>() * pitch + d.at("cols").get<long>(); };
    std::map<std::string, long> value, balance;
    long objective = 0;
    for (const auto &v : certificate.at("values")) {
        const std::string name = v.at("name");
        if (!value.emplace(name, positions(v)).second) return "two variables are called " + name;
        balance[name] = v.at("cost");
        objective += v.at("cost").get<long>() * value[name];
    }
    long bound = 0;
    for (const auto &c : certificate.at("constraints")) {
        const std::string from = c.at("from"), to = c.at("to"), reason = c.at("reason");
        const long flow = c.at("flow");
        if (!value.count(from) || !value.count(to)) return reason + ": there is no such variable";
        if (value[to] - value[from] < positions(c)) return reason + ": violated";
        if (flow < 0) return reason + ": negative flow";
        bound += flow * positions(c);
        balance[to] -= flow;
        balance[from] += flow;
    }
    for (const auto &[name, rest] : balance) {
        if (rest != 0) return name + ": " + std::to_string(rest) + " of its cost is not covered by flow";
    }
    if (objective != certificate.at("objective_bits").get<long>()) return "the objective is " + std::to_string(objective);
    if (objective != bound) return "the flow proves " + std::to_string(bound) + ", the objective is " + std::to_string(objective);
    return "";
}

#endif
