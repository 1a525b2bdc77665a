#include "hwgen/ir/Diagnostic.h"

#include <algorithm>

namespace argent {
namespace {

std::string prefix(const Location &where) {
    return where.known() ? where.file + ":" + std::to_string(where.line) + ": " : "argent: ";
}

std::string to_string(const std::vector<Diagnostic> &list) {
    std::string text;
    for (const Diagnostic &d : list) text += argent::to_string(d);
    return text;
}

}  // namespace

std::string to_string(const Diagnostic &d) {
    const char *kind = d.severity == Diagnostic::Severity::Error ? "error: " : "warning: ";
    std::string text = prefix(d.where) + kind + d.message + "\n";
    for (const std::string &note : d.notes) text += prefix(d.where) + "note: " + note + "\n";
    return text;
}

Error::Error(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(to_string(diagnostics)), list(std::move(diagnostics)) {
}

void Diagnostics::error(Location where, std::string message, std::vector<std::string> notes) {
    list.push_back({std::move(where), std::move(message), std::move(notes), Diagnostic::Severity::Error});
}

void Diagnostics::warning(Location where, std::string message, std::vector<std::string> notes) {
    list.push_back({std::move(where), std::move(message), std::move(notes), Diagnostic::Severity::Warning});
}

bool Diagnostics::has_errors() const {
    return std::any_of(list.begin(), list.end(),
                       [](const Diagnostic &d) { return d.severity == Diagnostic::Severity::Error; });
}

void Diagnostics::throw_errors() const {
    if (has_errors()) throw Error(list);
}

}  // namespace argent
