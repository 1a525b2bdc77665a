#include "Build.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "Analysis.h"
#include "dsl/argent.h"

namespace argent::fuzz {

using namespace Halide;

namespace {

class Builder {
public:
    Builder(const Pipeline &p, const Form &form, bool is_for_cpu) : p(p), form(form), is_for_cpu(is_for_cpu) {
        images();
        for (size_t i = 0; i < p.params.size(); i++) {
            const ParamDecl &d = p.params[i];
            Parameter param(d.type, false, 0, "p" + std::to_string(i));
            if (d.has_range) {
                param.set_min_value(Internal::make_const(d.type, d.min));
                param.set_max_value(Internal::make_const(d.type, d.max));
            }
            built.params.push_back(param);
        }
        for (size_t i = 0; i < p.tables.size(); i++) table(static_cast<int>(i));
        for (size_t i = 0; i < p.inputs.size(); i++) seen.push_back(bordered(built.images[built.inputs[i].image], static_cast<int>(i)));
        for (size_t i = 0; i < p.stages.size(); i++) stage(static_cast<int>(i));
        outputs();
        if (form.wrapped >= 0) funcs[form.wrapped].in().compute_root();
    }

    const Pipeline &p;
    const Form &form;
    const bool is_for_cpu;
    Var x{"x"}, y{"y"}, z{"z"}, c{"c"};
    std::vector<Func> funcs;
    std::vector<Func> outs;    // of the accelerator
    Built built;

    /** In the order of dimensions. */
    template<typename T>
    std::vector<T> place(const T &x, const T &y, const T &z) const {
        std::vector<T> all = form.is_columns_first ? std::vector<T>{y, x} : std::vector<T>{x, y};
        if (form.planes) all.push_back(z);
        return all;
    }

    /** Rows of the scan together in memory, also where they are columns. */
    void reorder_storage(Func &f) const {
        std::vector<Var> order = {x, y};
        for (const Var &v : f.args()) {
            if (v.name() == c.name() && form.outputs == Form::Outputs::Scanned) order.insert(order.begin(), v);
            else if (v.name() != x.name() && v.name() != y.name()) order.push_back(v);
        }
        f.reorder_storage(order);
    }

private:
    bool is_channel_first() const { return form.channels == Form::Channels::First; }

    void images() {
        int channels = 0;   // of the first image
        for (size_t i = 0; i < p.inputs.size(); i++) {
            const bool is_like = form.channels != Form::Channels::None && p.inputs[i] == p.inputs[0] && p.grid(int(i)) == p.grid(0) &&
                                 p.border(int(i)) == p.border(0) && (i == 0 || !p.has_own_bounds);
            if (i == 0 || !is_like) {
                const int dims = 2 + (form.planes > 0) + is_like;
                built.images.emplace_back(p.inputs[i], dims, producer_name(p, static_cast<int>(i)));
                if (form.is_columns_first) built.images.back().dim(0).set_stride(Expr()).dim(1).set_stride(1);
            }
            built.inputs.push_back(is_like ? Place{0, channels++} : Place{static_cast<int>(built.images.size()) - 1, 0});
        }
        if (form.channels == Form::Channels::None) return;
        ImageParam &image = built.images[0];
        const int dim = is_channel_first() ? 0 : image.dimensions() - 1, rows = is_channel_first(), columns = rows + 1;
        image.dim(dim).set_bounds(0, channels + 1);
        if (form.channels == Form::Channels::Planar) return;
        image.dim(rows).set_stride(Expr()), image.dim(columns).set_stride(Expr());
        image.dim(form.is_columns_first ? columns : rows).set_stride(channels + 1);
        image.dim(dim).set_stride(1);
    }

    /** What the accelerator computes, and what the host makes of it. */
    void outputs() {
        outs = {funcs.back()};
        built.out = funcs.back();
        if (form.is_plain()) return;
        std::vector<Func> all = outs;
        for (int i : form.also) all.push_back(funcs[i]);
        const std::vector<Var> dims = place(x, y, z);
        const std::vector<Expr> own(dims.begin(), dims.end());
        std::vector<Expr> values;
        for (const Func &f : all) values.push_back(f(own));
        if (form.outputs == Form::Outputs::Funcs) outs = all;
        if (form.outputs == Form::Outputs::Tuple) {
            outs = {Func("together")};
            outs[0](dims) = Tuple(values);
        }
        if (form.has_output_channels()) {
            std::vector<Var> with_c = dims;
            with_c.insert(form.outputs == Form::Outputs::Scanned ? with_c.begin() : with_c.end(), c);
            for (Expr &e : values) e = cast(p.stages.back().type, e);
            outs = {Func("together")};
            outs[0](with_c) = mux(c, values);
            outs[0].bound(c, 0, static_cast<int>(values.size()));
        }
        if (form.is_columns_first) {
            for (Func &f : outs) reorder_storage(f);
        }
        host();
    }

    void host() {
        std::vector<Expr> values, at = place<Expr>(x + built.min_x, y + built.min_y, z);
        std::vector<Var> dims = {x, y};
        if (form.has_output_channels()) {
            at.insert(form.outputs == Form::Outputs::Scanned ? at.begin() : at.end(), Expr(c));
            dims.push_back(c);
        }
        if (form.planes) dims.push_back(z);
        for (Func &f : outs) {
            if (f.outputs() == 1) values.push_back(f(at));
            for (int i = 0; i < f.outputs() && f.outputs() > 1; i++) values.push_back(f(at)[i]);
        }
        built.out = Func("host");
        if (values.size() == 1) built.out(dims) = values[0];
        else built.out(dims) = Tuple(values);
    }

    private:
    void table(int index) {
        const Table &k = p.tables[index];
        Func f("k" + std::to_string(index));
        Var i("i");
        const int n = static_cast<int>(k.values.size());
        std::vector<Expr> values;
        for (int64_t v : k.values) values.push_back(Internal::make_const(k.type, v));
        if (form.has_loaded_tables) {
            built.tables.emplace_back(k.type, 1, "values" + std::to_string(index));
            built.tables.back().dim(0).set_bounds(0, n);
            f(i) = built.tables.back()(i);
        } else if (k.style == "mux") {
            if (n == 1) f(i) = values[0];
            else f(i) = mux(i, values);
        } else if (k.style == "updates") {
            f(i) = Internal::make_const(k.type, 0);
            for (int v = 0; v < n; v++) f(v) = values[v];
        } else {
            Buffer<> b(k.type, std::vector<int>{n}, "values" + std::to_string(index));
            for (int v = 0; v < n; v++) std::memcpy(b.raw_buffer()->host + size_t(v) * k.type.bytes(), &k.values[v], k.type.bytes());
            f(i) = b(i);
        }
        tables.push_back(f);
    }

    void stage(int index) {
        const Stage &s = p.stages[index];
        Func f("f" + std::to_string(index));
        current = &s;
        lets.clear(), domains.clear();
        for (const ReductionDomain &d : s.domains) {
            domain = RDom(d.min_x, d.extent_x, d.min_y, d.extent_y);
            if (d.where) domain.where(term(*d.where));
            domains.push_back(domain);
        }
        for (const TermPtr &t : s.lets) lets.push_back(term(*t));
        const std::vector<Var> dims = place(x, y, z);
        f(dims) = term(*s.value);
        for (const Update &u : s.updates) {
            domain = domains[u.domain];
            self = f(dims);
            f(dims) = term(*u.value);
        }
        funcs.push_back(f);
        seen.push_back(bordered(f, static_cast<int>(p.inputs.size()) + index));
    }

    /** As its readers see it. */
    Func bordered(const Func &f, int index) const {
        using namespace BoundaryConditions;
        if (p.border(index) == Border::None) return f;
        const ImageParam &ends = built.images[p.has_own_bounds ? built.inputs[index].image : 0];
        const int first = is_channel_first() && (!p.has_own_bounds || index == 0);   // dimension of the image
        Region image = {{ends.dim(first).min(), ends.dim(first).extent()}, {ends.dim(first + 1).min(), ends.dim(first + 1).extent()}};
        if (is_channel_first() && f.dimensions() > 2 + (form.planes > 0)) image.insert(image.begin(), {Expr(), Expr()});
        switch (p.border(index)) {
        case Border::None:
        case Border::Edge: return repeat_edge(f, image);
        case Border::Repeat: return repeat_image(f, image);
        case Border::MirrorImage: return mirror_image(f, image);
        case Border::MirrorInterior: return mirror_interior(f, image);
        case Border::Exterior: return constant_exterior(f, Halide::Internal::make_const(p.producer_type(index), exterior_value), image);
        }
        return f;
    }

    Expr index(const Expr &var, int factor, const Expr &rvar, int constant) {
        Expr e = var;
        if (factor == 1) e = e + rvar;
        else if (factor == -1) e = e - rvar;
        else if (factor) e = e + factor * rvar;
        return constant > 0 ? e + constant : constant < 0 ? e - (-constant) : e;
    }

    Expr term(const Term &t) {
        switch (t.kind) {
        case Term::Kind::Constant: return Internal::make_const(t.type, t.value);
        case Term::Kind::Param: return Internal::Variable::make(t.type, built.params[t.index].name(), built.params[t.index]);
        case Term::Kind::Coord: return t.index ? y : x;
        case Term::Kind::RVar: return t.index ? domain.y : domain.x;
        case Term::Kind::Local: return lets.at(t.index);
        case Term::Kind::Self: return self;
        case Term::Kind::Read: {
            const int inputs = static_cast<int>(p.inputs.size()), reader = static_cast<int>(current - p.stages.data()) + inputs;
            const auto at = [&](const Var &v, int factor, const RVar &rvar, int constant, int dim) {
                const Rate rate = rate_of(p, reader, t.index, dim);
                const Expr e = index(rate.over == 1 ? Expr(v) : rate.over * v, factor, factor ? Expr(rvar) : Expr(), constant);
                return rate.under == 1 ? e : e / rate.under;
            };
            const Expr at_x = at(x, t.rx, domain.x, t.dx, 0), at_y = at(y, t.ry, domain.y, t.dy, 1);
            return element(t, at_x, at_y);
        }
        case Term::Kind::Table: {
            Expr at = t.dx;
            if (t.rx) at = t.rx * domain.x + t.dx;
            if (t.ry) at = t.ry * domain.y + t.dx;
            if (!t.args.empty()) at = cast<int32_t>(term(*t.args[0])) % static_cast<int>(p.tables[t.index].values.size());
            return tables[t.index](at);
        }
        case Term::Kind::Reduce: {
            domain = domains[t.index];
            const Expr body = term(*t.args[0]);
            if (t.op == "sum") return sum(domain, body);
            if (t.op == "product") return product(domain, body);
            return t.op == "maximum" ? maximum(domain, body) : minimum(domain, body);
        }
        case Term::Kind::Operator: break;
        }
        std::vector<Expr> args;
        for (const TermPtr &a : t.args) args.push_back(term(*a));
        if (runs_on_cpu() && t.op == "trunc") return low_bits(args[0], t.type);
        if (runs_on_cpu() && (t.op == "shl" || t.op == "shr")) return wide_shift(t.op == "shl", args[0], args[1]);
        if (runs_on_cpu() && t.op == "abs") return magnitude(args[0]);
        const Expr value = find_operator(t.op)->build(t.type, args);
        return runs_on_cpu() && t.op == "sqrt" ? masked_root(value) : value;
    }

    /** Of a volume inputs are read in three planes. */
    Expr element(const Term &read, const Expr &at_x, const Expr &at_y) {
        const bool is_input = read.index < static_cast<int>(p.inputs.size());
        const int plane = is_input ? (read.dx > 0) - (read.dx < 0) : 0;
        std::vector<Expr> at = place<Expr>(at_x, at_y, plane ? z + plane : Expr(z));
        if (is_input && form.channels != Form::Channels::None && built.inputs[read.index].image == 0) {
            at.insert(is_channel_first() ? at.begin() : at.end(), Expr(built.inputs[read.index].channel));
        }
        return seen.at(read.index)(at);
    }

    /** Whether Halide's code computes the current stage, which has neither odd types nor all shifts right. */
    bool runs_on_cpu() const { return is_for_cpu || (form.is_first_on_host && current - p.stages.data() <= form.first); }

    /** Halide bounds x >> -2 as if a left shift did not overflow, and where that is a place in a table it reads another one. In 64 bits none does. */
    static Expr wide_shift(bool is_left, const Expr &a, const Expr &by) {
        const Type wide = a.type().with_bits(64);
        const Expr amount = cast(by.type().with_bits(64), by);
        return cast(a.type(), is_left ? cast(wide, a) << amount : cast(wide, a) >> amount);
    }

    /** Halide's abs gives an unsigned number, so that the least one has a magnitude; its code negates as if that never came, and LLVM makes 0 of abs(x << 31). */
    static Expr magnitude(const Expr &a) {
        const Type t = a.type().with_code(halide_type_uint);
        return select(a < 0, Internal::make_zero(t) - cast(t, a), cast(t, a));
    }

    /** Halide makes a narrower cast of a root one of its float where it knows the radicand, and the float may not fit: so a mask is between, of more bits than a root has. */
    static Expr masked_root(const Expr &root) {
        const int bits = std::min(root.type().bits(), 54) / 2 + 1;
        return root & Internal::make_const(root.type(), (int64_t(1) << bits) - 1);
    }

    /** A cast to an odd number of bits, in the next type that Halide's CPU code has for every operator. */
    static Expr low_bits(const Expr &e, Type t) {
        int bits = 8;
        while (bits < t.bits()) bits *= 2;
        const Expr all = cast(UInt(bits), e) << Internal::make_const(UInt(bits), bits - t.bits());
        return (t.is_int() ? reinterpret(Int(bits), all) : all) >> Internal::make_const(UInt(bits), bits - t.bits());
    }

    const Stage *current = nullptr;
    std::vector<Func> seen;   // inputs, then stages, with their borders
    std::vector<Func> tables;
    std::vector<Expr> lets;
    std::vector<RDom> domains;
    RDom domain;
    Expr self;
};

/** What some stages need: inputs, then stages, these included. Nothing behind `end`, a stage. */
std::vector<bool> needed_by(const Pipeline &p, const std::vector<int> &stages, int end) {
    const int inputs = static_cast<int>(p.inputs.size());
    std::vector<bool> needed(inputs + p.stages.size(), false);
    for (int i : stages) needed[inputs + i] = true;
    for (int i = static_cast<int>(p.stages.size()) - 1; i >= 0; i--) {
        if (!needed[inputs + i] || i == end) continue;
        visit_terms(p.stages[i], [&](const TermPtr &t) {
            if (t->kind == Term::Kind::Read) needed[t->index] = true;
        });
    }
    return needed;
}

/** Makes an accelerator of `outs`, which compute `stages`, and of what they need down to stage `end`, if that is one. */
Accelerator accelerated(Builder &b, const std::vector<Func> &outs, const std::vector<int> &stages, int end) {
    const Pipeline &p = b.p;
    const int count = static_cast<int>(p.inputs.size());
    const std::vector<bool> needed = needed_by(p, stages, end), of_host = b.form.is_first_on_host ? needed_by(p, {end}, -1) : std::vector<bool>(needed.size(), false);
    std::set<int> images, tables;
    for (int i = 0; i < count; i++) {
        if (needed[i]) images.insert(b.built.inputs[i].image);
    }
    for (size_t i = 0; i < p.stages.size(); i++) {
        if (!needed[count + i] || int(i) == end) continue;
        visit_terms(p.stages[i], [&](const TermPtr &t) {
            if (t->kind == Term::Kind::Table) tables.insert(t->index);
        });
    }
    std::vector<Func> inputs;
    for (int i : images) inputs.push_back(b.built.images[i]);
    if (b.form.has_loaded_tables) {
        for (int i : tables) inputs.push_back(b.built.tables[i]);
    }
    if (end >= 0 && needed[count + end]) inputs.push_back(b.funcs[end]);
    Accelerator a = outs.size() == 1 ? accelerate(outs[0], inputs) : accelerate(outs, inputs);
    a.board(p.board);
    if (p.mhz) a.clock(p.mhz);
    if (b.form.has_streams) a.streaming();
    for (size_t i = 0; i < p.stages.size(); i++) {
        const std::set<int> own(stages.begin(), stages.end());
        const bool is_output = own.count(static_cast<int>(i)) && b.form.outputs != Form::Outputs::Tuple && !b.form.has_output_channels();
        if (!needed[count + i] || int(i) == end) continue;
        const std::string &storage = p.stages[i].storage;
        if (p.stages[i].share) a.time_share(b.funcs[i], p.stages[i].share);
        if (is_output) continue;
        if (int(i) == b.form.buffered) {
            a.buffered(b.funcs[i]);
            continue;
        }
        if (storage == "root") b.funcs[i].compute_root();
        if (storage == "at" && !of_host[count + i]) b.funcs[i].compute_at(outs[0], b.y);
        if (storage == "linebuffer") a.linebuffer(b.funcs[i]);
        if (storage == "inlined") a.inlined(b.funcs[i]);
    }
    return a;
}

}  // namespace

Built build_accelerated(const Pipeline &p, const std::string &name, const Form &form) {
    Builder b(p, form, false);
    const int last = static_cast<int>(p.stages.size()) - 1;
    std::vector<std::pair<Var, int>> block = {{b.x, p.block[0]}, {b.y, p.block[1]}};
    int clocks = p.clocks;
    if (b.form.has_output_channels()) {
        const int channels = 1 + static_cast<int>(form.also.size());
        const bool is_scanned = form.outputs == Form::Outputs::Scanned;
        block.insert(is_scanned ? block.begin() : block.end(), {b.c, channels});
        if (is_scanned) clocks *= channels;
    }
    if (form.planes) block.push_back({b.z, form.planes});
    std::vector<int> stages = form.also;
    stages.push_back(last);
    const auto state_loops = [&](Accelerator &a, const Func &f) {
        const bool has_inner = form.outputs == Form::Outputs::Scanned && f.name() == b.outs[0].name(), has_planes = form.planes && !form.has_unrolled_planes;
        std::vector<VarOrRVar> loops = {b.x, b.y};
        if (has_inner) loops.insert(loops.begin(), b.c);
        if (has_planes) loops.push_back(b.z);
        if (has_inner || has_planes) a.reorder(f, loops);
    };
    if (form.first >= 0 && form.is_first_on_host) b.funcs[form.first].compute_root();
    if (form.first >= 0 && form.is_columns_first) b.reorder_storage(b.funcs[form.first]);
    if (form.first >= 0 && !form.is_first_on_host) {
        // As large as the other one can need: its reads go on for some elements on all sides.
        const Grid own = p.stages[form.first].grid, out = p.stages[last].grid;
        const int width = p.block[0] * out.x / own.x + 150, height = p.block[1] * out.y / own.y + 150;
        std::vector<std::pair<Var, int>> first_block = {{b.x, width}, {b.y, height}};
        if (form.planes) first_block.push_back({b.z, form.planes});
        Accelerator first = accelerated(b, {b.funcs[form.first]}, {form.first}, -1);
        first.block(first_block).throughput(b.x, p.pixels, p.clocks).name(name + "_first");
        state_loops(first, b.funcs[form.first]);
    }
    Accelerator a = accelerated(b, b.outs, stages, form.first);
    a.block(block).throughput(b.x, p.pixels, clocks).name(name);
    if (form.outputs == Form::Outputs::Unrolled) a.unroll(b.outs[0], b.c);
    if (form.has_unrolled_planes) {
        for (const Func &f : b.outs) a.unroll(f, b.z);
    }
    for (const Func &f : b.outs) state_loops(a, f);
    if (form.tile[0]) {
        Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
        b.built.out.tile(b.x, b.y, xo, yo, xi, yi, form.tile[0], form.tile[1], TailStrategy::GuardWithIf);
        b.outs[0].compute_at(b.built.out, xo);
        if (form.is_first_on_host) b.funcs[form.first].compute_at(b.built.out, xo);
    }
    if (form.strip) {
        Var outer("outer"), inner("inner");
        b.built.out.split(form.is_columns_first ? b.x : b.y, outer, inner, form.strip, TailStrategy::GuardWithIf);
        b.outs[0].compute_at(b.built.out, outer).store_root().async();
    }
    return b.built;
}

Built build_for_cpu(const Pipeline &p, const Form &form) {
    Builder b(p, form, true);
    for (Func &f : b.funcs) f.compute_root();
    for (Func &f : b.outs) f.compute_root();
    return b.built;
}

}  // namespace argent::fuzz
