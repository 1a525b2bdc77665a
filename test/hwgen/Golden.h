#ifndef ARGENT_TEST_HWGEN_GOLDEN_H
#define ARGENT_TEST_HWGEN_GOLDEN_H

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

/** Compares a text with the checked-in file golden/<name> beside the test (ARGENT_GOLDEN, from its CMakeLists.txt: __FILE__
 *  may be relative to anything); ARGENT_UPDATE_GOLDENS=1 writes it instead. */
inline void check_golden(const std::string &name, const std::string &text) {
    const std::string path = std::string(ARGENT_GOLDEN "/") + name;
    if (std::getenv("ARGENT_UPDATE_GOLDENS")) {
        std::ofstream(path) << text;
        return;
    }
    std::ifstream file(path);
    std::stringstream expected;
    expected << file.rdbuf();
    INFO("golden file ", path, "; ARGENT_UPDATE_GOLDENS=1 writes it anew");
    CHECK(text == expected.str());
}

#endif
