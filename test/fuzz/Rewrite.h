#ifndef ARGENT_TEST_FUZZ_REWRITE_H
#define ARGENT_TEST_FUZZ_REWRITE_H

#include <functional>

#include "Pipeline.h"

namespace argent::fuzz {

/** What stands in place of a term; null: leave it, and look into it. */
using Rewrite = std::function<TermPtr(const TermPtr &)>;

TermPtr rewrite(const TermPtr &t, const Rewrite &f);
void rewrite(Stage &s, const Rewrite &f);
void rewrite(Pipeline &p, const Rewrite &f);

TermPtr with_index(const TermPtr &t, int index);
/** The same in a stage that has the domains of its reductions from `first` on. */
TermPtr with_domains_from(const TermPtr &t, int first);
TermPtr as_type(const TermPtr &t, Type type);
TermPtr number(Type type, int64_t v);

/** Takes out what nobody uses. */
void tidy(Pipeline &p);

}  // namespace argent::fuzz

#endif
