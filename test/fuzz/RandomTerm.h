#ifndef ARGENT_FUZZ_RANDOM_TERM_H
#define ARGENT_FUZZ_RANDOM_TERM_H

#include <set>
#include <vector>

#include "Analysis.h"
#include "Random.h"

namespace argent::fuzz {

Type random_type(Random &);

/** Makes up one stage of about `budget` operators a lane: windows on its producers, operators of every kind on what they
 *  show, and what they need so that Halide defines the result. */
class StageWriter {
public:
    StageWriter(Random &r, const Pipeline &p, Stage &f, const std::vector<Range> &stages, int budget)
        : r(r), p(p), f(f), stages(stages), budget(budget) {}

    void write(const std::vector<int> &producers);

private:
    using Terms = std::vector<TermPtr>;
    struct Offset {
        int x, y;
    };

    std::vector<Offset> window(int most);
    Terms reads_of(int producer, int most);
    void add_reduction(Terms &pool, int producer);
    void add_updates(int producer);
    TermPtr reduction_body(int producer, const ReductionDomain &d);
    ReductionDomain random_domain(int most_points);
    TermPtr tree(Terms leaves);
    TermPtr grow(Terms pool, int extra, Type wanted);
    bool step(Terms &pool);
    bool operands(const Operator &o, Terms &pool, Terms &args);
    TermPtr operand(Terms &pool, Type t);
    TermPtr extra_leaf();
    bool is_plain(const TermPtr &place) const;
    TermPtr looked_up(const TermPtr &place);
    TermPtr amount(Terms &pool, Type t, int lowest, int highest);
    TermPtr repaired(const TermPtr &t);

    TermPtr constant(Type t, int64_t v);
    TermPtr random_constant(Type t);
    TermPtr make(const std::string &op, Terms args, Type t = Type());
    TermPtr convert(const TermPtr &t, Type to);
    TermPtr convert_plainly(const TermPtr &t, Type to);
    Type some_type(const Terms &pool);
    bool is_defined(const TermPtr &t);
    bool affordable(const Term &t) const { return cost_of(t) * p.pixels <= 170; }

    Random &r;
    const Pipeline &p;
    Stage &f;
    const std::vector<Range> &stages;
    std::vector<Range> lets;
    const ReductionDomain *domain = nullptr;
    std::optional<Range> self;
    Terms seen;    // leaves to read once more
    int budget;
};

}  // namespace argent::fuzz

#endif
