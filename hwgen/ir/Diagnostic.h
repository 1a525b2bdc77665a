#ifndef ARGENT_HWGEN_DIAGNOSTIC_H
#define ARGENT_HWGEN_DIAGNOSTIC_H

#include <stdexcept>
#include <string>
#include <vector>

namespace argent {

/** Where the user wrote something: a directive's own line (`__builtin_FILE/LINE` defaults). */
struct Location {
    std::string file;
    int line = 0;
    bool known() const { return line > 0; }
};

/** One mistake of the user's. `message` is lower case, without full stop, names the Func and Var and gives both
 *  numbers; each note is an edit that would mend it, or more context. Printed as
 *    harris.cpp:31: error: fifo_depth(grad_x, corners, 4) is too small: the path through blur needs 1926
 *    harris.cpp:31: note: leave it out, or give at least 1926 */
struct Diagnostic {
    enum class Severity { Error, Warning };
    Location where;
    std::string message;
    std::vector<std::string> notes;
    Severity severity = Severity::Error;
};

/** The text of one Diagnostic, a line each for message and notes, as compilers print them. */
std::string to_string(const Diagnostic &d);

/** All mistakes that were found, thrown at once. what() is their whole text. */
class Error : public std::runtime_error {
public:
    explicit Error(std::vector<Diagnostic> diagnostics);
    const std::vector<Diagnostic> &diagnostics() const { return list; }

private:
    std::vector<Diagnostic> list;
};

/** Collects Diagnostics; check passes append, the caller throws once. */
class Diagnostics {
public:
    void error(Location where, std::string message, std::vector<std::string> notes = {});
    void warning(Location where, std::string message, std::vector<std::string> notes = {});
    bool has_errors() const;
    const std::vector<Diagnostic> &all() const { return list; }
    /** Throws Error with everything collected, if any of it is an error. */
    void throw_errors() const;

private:
    std::vector<Diagnostic> list;
};

}  // namespace argent

/** A mistake of ours: names the pass; never reachable by a user. */
#define argent_internal_assert(condition, pass, text)                                                        \
    do {                                                                                                     \
        if (!(condition)) throw std::logic_error(std::string("argent internal error in ") + (pass) + ": " + (text)); \
    } while (0)

#endif
