#include <string>

// What a program with Halide's runtime has; here it is remembered.
std::string halide_said;
extern "C" void halide_error(void *, const char *message) { halide_said += message; }
