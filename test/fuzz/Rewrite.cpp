#include "Rewrite.h"

#include <algorithm>

namespace argent::fuzz {

TermPtr rewrite(const TermPtr &t, const Rewrite &f) {
    if (!t) return t;
    if (TermPtr other = f(t)) return other;
    std::vector<TermPtr> args;
    bool changed = false;
    for (const TermPtr &a : t->args) {
        args.push_back(rewrite(a, f));
        changed = changed || args.back() != a;
    }
    if (!changed) return t;
    auto copy = std::make_shared<Term>(*t);
    copy->args = args;
    return copy;
}

void rewrite(Stage &s, const Rewrite &f) {
    for (ReductionDomain &d : s.domains) d.where = rewrite(d.where, f);
    for (TermPtr &t : s.lets) t = rewrite(t, f);
    s.value = rewrite(s.value, f);
    for (Update &u : s.updates) u.value = rewrite(u.value, f);
}

void rewrite(Pipeline &p, const Rewrite &f) {
    for (Stage &s : p.stages) rewrite(s, f);
}

TermPtr with_index(const TermPtr &t, int index) {
    auto copy = std::make_shared<Term>(*t);
    copy->index = index;
    return copy;
}

TermPtr with_domains_from(const TermPtr &t, int first) {
    return rewrite(t, [&](const TermPtr &u) -> TermPtr {
        if (u->kind != Term::Kind::Reduce) return nullptr;
        auto copy = std::make_shared<Term>(*with_index(u, u->index + first));
        copy->args = {with_domains_from(u->args[0], first)};
        return copy;
    });
}

TermPtr as_type(const TermPtr &t, Type type) {
    if (t->type == type) return t;
    auto cast = std::make_shared<Term>();
    const int bits = type.bits();
    const bool is_plain = bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
    cast->kind = Term::Kind::Operator, cast->op = is_plain ? "cast" : "trunc", cast->type = type, cast->args = {t};
    return cast;
}

TermPtr number(Type type, int64_t v) {
    auto c = std::make_shared<Term>();
    c->type = type, c->value = v;
    return c;
}

namespace {

/** New numbers for the things of `kind` after those that are not `used` have gone; -1 for them. */
std::vector<int> renumbered(const std::vector<bool> &used) {
    std::vector<int> to;
    int n = 0;
    for (bool u : used) to.push_back(u ? n++ : -1);
    return to;
}

template<typename T>
void keep_used(std::vector<T> &things, const std::vector<int> &to) {
    std::vector<T> kept;
    for (size_t i = 0; i < things.size(); i++) {
        if (to[i] >= 0) kept.push_back(things[i]);
    }
    things = kept;
}

/** Where a form names stages. */
std::vector<int *> stages_of(Form &form) {
    std::vector<int *> all = {&form.first, &form.buffered, &form.wrapped};
    for (int &i : form.also) all.push_back(&i);
    return all;
}

/** The output, too, is none of the stages that a form names. */
void without_stages_from(int end, Form &form) {
    for (int *i : stages_of(form)) {
        if (*i >= end) *i = -1;
    }
    form.also.erase(std::remove(form.also.begin(), form.also.end(), -1), form.also.end());
    if (form.also.empty()) form.outputs = Form::Outputs::One;
}

}  // namespace

void tidy(Pipeline &p) {
    const int inputs = static_cast<int>(p.inputs.size());
    for (Stage &s : p.stages) {
        for (bool again = true; again;) {
            std::vector<bool> lets(s.lets.size(), false), domains(s.domains.size(), false);
            visit_terms(s, [&](const TermPtr &t) {
                if (t->kind == Term::Kind::Local) lets[t->index] = true;
                if (t->kind == Term::Kind::Reduce) domains[t->index] = true;
            });
            for (const Update &u : s.updates) domains[u.domain] = true;
            again = std::count(lets.begin(), lets.end(), false) + std::count(domains.begin(), domains.end(), false) > 0;
            const std::vector<int> let_to = renumbered(lets), domain_to = renumbered(domains);
            keep_used(s.lets, let_to);
            keep_used(s.domains, domain_to);
            for (Update &u : s.updates) u.domain = domain_to[u.domain];
            const std::function<TermPtr(const TermPtr &)> renumber = [&](const TermPtr &t) -> TermPtr {
                if (t->kind == Term::Kind::Local) return with_index(t, let_to[t->index]);
                if (t->kind != Term::Kind::Reduce) return nullptr;
                auto copy = std::make_shared<Term>(*t);
                copy->index = domain_to[t->index];
                copy->args = {rewrite(t->args[0], renumber)};
                return copy;
            };
            rewrite(s, renumber);
        }
    }
    std::vector<bool> used(inputs + p.stages.size(), false), params(p.params.size(), false), tables(p.tables.size(), false);
    used.back() = true;
    without_stages_from(static_cast<int>(p.stages.size()) - 1, p.form);
    for (int i : p.form.also) used[inputs + i] = true;
    for (int i = static_cast<int>(p.stages.size()) - 1; i >= 0; i--) {
        if (!used[inputs + i]) continue;
        visit_terms(p.stages[i], [&](const TermPtr &t) {
            if (t->kind == Term::Kind::Read) used[t->index] = true;
            if (t->kind == Term::Kind::Param) params[t->index] = true;
            if (t->kind == Term::Kind::Table) tables[t->index] = true;
        });
    }
    const std::vector<int> to = renumbered(used), param_to = renumbered(params), table_to = renumbered(tables);
    p.input_grids.resize(inputs);
    p.input_borders.resize(inputs);
    keep_used(p.input_borders, {to.begin(), to.begin() + inputs});
    keep_used(p.input_grids, {to.begin(), to.begin() + inputs});
    keep_used(p.inputs, {to.begin(), to.begin() + inputs});
    keep_used(p.stages, {to.begin() + inputs, to.end()});
    keep_used(p.params, param_to);
    keep_used(p.tables, table_to);
    const int kept_inputs = static_cast<int>(p.inputs.size());
    for (int *i : stages_of(p.form)) *i = *i < 0 ? -1 : to[inputs + *i] < 0 ? -1 : to[inputs + *i] - kept_inputs;
    rewrite(p, [&](const TermPtr &t) -> TermPtr {
        if (t->kind == Term::Kind::Read) return with_index(t, to[t->index]);
        if (t->kind == Term::Kind::Param) return with_index(t, param_to[t->index]);
        if (t->kind == Term::Kind::Table) return with_index(t, table_to[t->index]);
        return nullptr;
    });
}

}  // namespace argent::fuzz
