#ifndef ARGENT_TEST_ERRORS_REFUSAL_H
#define ARGENT_TEST_ERRORS_REFUSAL_H

#include <Halide.h>

#include <functional>
#include <string>

#include "argent.h"

/** Names this line A, B, ...; stands on the line of the directive that is meant. */
#define HERE(letter) ::argent::test::mark(letter, __FILE__, __LINE__)

namespace argent::test {

void mark(char letter, const std::string &file, int line);

/** The whole text of the argent::Error that `action` throws, with @A in place of the `file:line` that HERE('A') named. */
std::string refusal_of(const std::function<void()> &action);

/** The same for argent::realize of what `make` returns, 16x8. */
std::string refusal(const std::function<Halide::Func()> &make);

/** A Func that the host computes. */
Halide::Func host_image(const std::string &name, Halide::Type type = Halide::UInt(8));

}  // namespace argent::test

#endif
