// check_certificate report.json: what is wrong with the certificates of its accelerators. Exit 1 if anything is.
#include <fstream>
#include <iostream>

#include "../hwgen/clocks/Certificate.h"

int main(int argc, char **argv) {
    std::ifstream in(argc == 2 ? argv[1] : "");
    if (!in) {
        std::cerr << "usage: check_certificate report.json\n";
        return 2;
    }
    const nlohmann::json report = nlohmann::json::parse(in);
    bool is_right = true;
    for (const auto &accelerator : report.at("accelerators")) {
        const std::string wrong = wrong_with_certificate(accelerator.at("certificate"));
        if (wrong.empty()) continue;
        is_right = false;
        std::cout << accelerator.at("name").get<std::string>() << ": " << wrong << "\n";
    }
    return is_right ? 0 : 1;
}
