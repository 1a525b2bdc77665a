#ifndef ARGENT_HWGEN_DIFFERENCE_CONSTRAINTS_H
#define ARGENT_HWGEN_DIFFERENCE_CONSTRAINTS_H

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

/** The line-buffer problem, exactly: difference constraints with a linear cost.
 *
 *      minimise  sum_i cost[i] * v[i]      where every constraint  v[to] - v[from] >= weight  holds
 *
 *  v is when things happen (the displacement of a stage on its timeline, the cycle of an operator),
 *  a constraint is what must come before what and by how much, and the cost is bits kept alive:
 *  a value of b bits born at v[p] and last read at v[q] costs  b * (v[q] - v[p]),  that is -b at p
 *  and +b at q.  The dual is a min-cost flow, and the flow is returned as the proof of optimality. */
namespace argent::hwgen {

/** A number of scan positions, rows * W + cols. W is the row pitch of the scan, known only when the
 *  accelerator runs; the compiler knows its maximum. Problems with no rows (cycles) leave rows 0. */
struct Distance {
    int64_t rows = 0;
    int64_t cols = 0;

    /** The distance in positions for one pitch. It is not checked for overflow. */
    int64_t at(int64_t pitch) const { return rows * pitch + cols; }
    /** "2 rows + 3", "1 row - 4", "-1 row", "7". */
    std::string str() const;

    Distance operator-() const { return {-rows, -cols}; }
    Distance &operator+=(Distance o) { return rows += o.rows, cols += o.cols, *this; }
    Distance &operator-=(Distance o) { return *this += -o; }
    friend Distance operator+(Distance a, Distance b) { return a += b; }
    friend Distance operator-(Distance a, Distance b) { return a -= b; }
    friend bool operator==(Distance a, Distance b) { return a.rows == b.rows && a.cols == b.cols; }
    friend bool operator!=(Distance a, Distance b) { return !(a == b); }
};

/** v[to] - v[from] >= weight. The reason is for messages: "blur_y reads blur_x at (0, +1)". */
struct Constraint {
    int from = 0;
    int to = 0;
    Distance weight;
    std::string reason;
};

/** Parallel constraints, self loops, cycles and variables in no constraint are all allowed. */
struct DifferenceProblem {
    std::vector<int64_t> cost;  // per variable and position; the size is the number of variables
    std::vector<Constraint> constraints;
    int64_t pitch = 1;  // the largest W, at least 1
};

struct DifferenceSolution {
    /** Per variable. At the pitch all are >= 0, and each is the least that any optimum without
     *  negative values has: independent of the order of the constraints and of the algorithm.
     *  Subtract value[r] from all to have r at zero. */
    std::vector<Distance> value;
    /** sum cost * value, at the pitch: cost units times positions. */
    int64_t objective = 0;
    /** Why the values are what they are: constraints that hold with equality, rows and cols alike,
     *  and form a forest. Every tree has a variable at 0; from there value[to] = value[from] +
     *  weight along the tree gives every value. In increasing order. */
    std::vector<int> tight;
    /** Per constraint, >= 0: the dual. What enters a variable less what leaves it is its cost, and
     *  only tight constraints carry any. flow[k] is also the price of constraint k: one position
     *  more of weight adds at least that to the objective. */
    std::vector<int64_t> flow;
};

/** The constraints contradict each other at the pitch: their weights along a cycle add up to more
 *  than 0. Where they do so only below the pitch, minimise() succeeds and least_pitch() tells. */
struct InfeasibleCycle : std::runtime_error {
    InfeasibleCycle(const DifferenceProblem &, std::vector<int> constraints);
    std::vector<int> constraints;  // the cycle in order: the `to` of each is the `from` of the next
    Distance excess;               // the sum of their weights
};

/** The objective falls for ever as all these variables are raised (or lowered) together, and no
 *  constraint minds. A cost that does not sum to 0 over a connected component always does that. */
struct UnboundedObjective : std::runtime_error {
    UnboundedObjective(const DifferenceProblem &, std::vector<int> variables, bool raise);
    std::vector<int> variables;  // in increasing order
    bool raise;                  // false: lower them
};

/** Solves the problem at the pitch. Among equals it takes what also holds and is optimal for W a
 *  little below, so the solution is optimal for every W in [least_pitch(), pitch].
 *      cost -8 0 +8, a -> b >= 1 row, b -> c >= 2, a -> c >= 5    ->   0, 1 row, 1 row + 2
 *  Throws InfeasibleCycle, else UnboundedObjective; std::invalid_argument for an index out of range
 *  or a pitch below 1; std::overflow_error if the absolute weights or the absolute costs add up to
 *  2^62 or more, or the objective does not fit. */
DifferenceSolution minimise(const DifferenceProblem &);

/** Checks a solution without trusting the solver: values feasible, flow feasible, complementary
 *  slackness, tight constraints tight, objective right, all at the pitch. If not, says why. */
bool is_optimal(const DifferenceProblem &, const DifferenceSolution &, std::string *why = nullptr);

/** The smallest W0 >= 1 so that every constraint holds for every W in [W0, pitch]. Closed form:
 *  each slack is linear in W.   a -> b >= 40, solved as b = a + 1 row, pitch 640   ->   40
 *  Throws std::invalid_argument if a constraint fails at the pitch itself. */
int64_t least_pitch(const DifferenceProblem &, const DifferenceSolution &);

}  // namespace argent::hwgen

#endif
