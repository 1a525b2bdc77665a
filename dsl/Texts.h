#ifndef ARGENT_DSL_TEXTS_H
#define ARGENT_DSL_TEXTS_H

#include <Halide.h>

#include <string>
#include <vector>

#include "dsl/Spec.h"

/** Pieces of Diagnostics: names and calls as the user typed them. */
namespace argent::dsl {

/** Halide's name without the suffix that makes it unique: padded$1 -> padded, r$x -> r.x. */
std::string user_name(const std::string &name);

/** Whether the user has given this name to a Func: no lambda, no sum() or other reduction of Halide's, no wrapper. */
bool is_named(const std::string &func);
/** The image's name for an ImageParam or Input<Buffer<>>, the Func's for anything else. */
std::string shown(const Halide::Func &f);
/** "x", "x and y", "x, y and r.x". */
std::string list_of(const std::vector<std::string> &names, const std::string &last = "and");
/** The whole of an expression without Lets and suffixes, if that is no more than somebody could read. */
std::string shown(const Halide::Expr &e);
/** The same for comments and the report: nothing that fills pages. */
std::string printed(const Halide::Expr &e);
/** A text that equal expressions have in common, and others do not: Halide's own, or of a long one a digest. */
std::string key_of(const Halide::Expr &e);
/** "harris.cpp:31". */
std::string shown(const Location &l);

std::string accelerate_text(const AcceleratorSpec &spec);
/** out, or {lo, hi}. */
std::string outs_text(const AcceleratorSpec &spec);
std::vector<std::string> names_of(const std::vector<Halide::Func> &funcs);
std::string accelerate_text(const std::string &out, const std::vector<std::string> &inputs);
std::string block_text(const std::vector<std::pair<Halide::Var, int>> &extents);
/** linebuffer(f). */
std::string storage_text(const StorageDirective &s);
std::string fifo_text(const FifoDirective &f);
std::string time_share_text(const TimeShareDirective &t);
std::string throughput_text(const std::string &x, int pixels, int clocks);

}  // namespace argent::dsl

#endif
