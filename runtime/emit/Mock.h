#ifndef ARGENT_RUNTIME_EMIT_MOCK_H
#define ARGENT_RUNTIME_EMIT_MOCK_H

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace argent::runtime {

/** A C function that computes an accelerator's region on the host's processor: inputs and tables, params, outputs. */
struct MockFunction {
    std::string accelerator, symbol;
    size_t inputs = 0, outputs = 0;   // buffers
    std::vector<size_t> params;       // which of the launcher's it takes
};

/** `<function>_mock.c`: adds them to the device mock: (argent_mock.h) when it is linked. The symbol argent_mock_of_<function> is what a
 *  linker can be told to look for. */
std::string emit_mock(const nlohmann::json &manifest, const std::vector<MockFunction> &functions);

}  // namespace argent::runtime

#endif
