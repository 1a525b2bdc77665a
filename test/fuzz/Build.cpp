#include "Build.h"

#include <cstring>
#include <functional>

#include "Analysis.h"
#include "Random.h"
#include "dsl/argent.h"

namespace argent::fuzz {

using namespace Halide;

namespace {

class Builder {
public:
    Builder(const Pipeline &p, bool is_for_cpu) : p(p), is_for_cpu(is_for_cpu) {
        for (size_t i = 0; i < p.inputs.size(); i++) built.images.emplace_back(p.inputs[i], 2, producer_name(p, static_cast<int>(i)));
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
        for (size_t i = 0; i < p.inputs.size(); i++) seen.push_back(bordered(built.images[i], static_cast<int>(i)));
        for (size_t i = 0; i < p.stages.size(); i++) stage(static_cast<int>(i));
        built.out = funcs.back();
    }

    const Pipeline &p;
    const bool is_for_cpu;
    Var x{"x"}, y{"y"};
    std::vector<Func> funcs;
    Built built;

private:
    void table(int index) {
        const Table &k = p.tables[index];
        Func f("k" + std::to_string(index));
        Var i("i");
        const int n = static_cast<int>(k.values.size());
        std::vector<Expr> values;
        for (int64_t v : k.values) values.push_back(Internal::make_const(k.type, v));
        if (k.style == "mux") {
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
        f(x, y) = term(*s.value);
        for (const Update &u : s.updates) {
            domain = domains[u.domain];
            self = f(x, y);
            f(x, y) = term(*u.value);
        }
        funcs.push_back(f);
        seen.push_back(bordered(f, static_cast<int>(p.inputs.size()) + index));
    }

    /** As its readers see it. */
    Func bordered(const Func &f, int index) const {
        using namespace BoundaryConditions;
        if (p.border(index) == Border::None) return f;
        const ImageParam &ends = built.images[p.has_own_bounds ? index : 0];
        const Region image = {{ends.dim(0).min(), ends.dim(0).extent()}, {ends.dim(1).min(), ends.dim(1).extent()}};
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
            return seen.at(t.index)(at_x, at_y);
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
        if (is_for_cpu && t.op == "trunc") return low_bits(args[0], t.type);
        return find_operator(t.op)->build(t.type, args);
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

void store(Buffer<> &b, int x, int y, uint64_t v) {
    const int at[] = {x, y};
    std::memcpy(b.raw_buffer()->address_of(at), &v, b.type().bytes());
}

void set_params(const Pipeline &p, const Run &run, Built &built) {
    for (size_t i = 0; i < built.params.size(); i++) {
        halide_scalar_value_t v;
        std::memset(&v, 0, sizeof(v));
        v.u.i64 = param_value(p, run, static_cast<int>(i));
        built.params[i].set_scalar(p.params[i].type, v);
    }
}

/** Without the vectors of this machine: LLVM needs less time, and pipelines are small. */
Target cpu() {
    const Target host = get_host_target();
    return Target(host.os, host.arch, host.bits, {Target::StrictFloat, Target::NoBoundsQuery});
}

}  // namespace

Built build_accelerated(const Pipeline &p, const std::string &name) {
    Builder b(p, false);
    std::vector<Func> inputs;
    for (const ImageParam &i : b.built.images) inputs.push_back(i);
    Accelerator a = accelerate(b.built.out, inputs);
    a.block({{b.x, p.block[0]}, {b.y, p.block[1]}}).throughput(b.x, p.pixels, p.clocks).name(name).board(p.board);
    if (p.mhz) a.clock(p.mhz);
    for (size_t i = 0; i + 1 < p.stages.size(); i++) {
        const std::string &storage = p.stages[i].storage;
        if (storage == "root") b.funcs[i].compute_root();
        if (storage == "at") b.funcs[i].compute_at(b.built.out, b.y);
        if (storage == "linebuffer") a.linebuffer(b.funcs[i]);
        if (storage == "inlined") a.inlined(b.funcs[i]);
    }
    return b.built;
}

Built build_for_cpu(const Pipeline &p) {
    Builder b(p, true);
    for (Func &f : b.funcs) f.compute_root();
    return b.built;
}

uint64_t input_element(const Pipeline &p, const Run &run, int index, int x, int y) {
    const Type t = p.inputs[index];
    const uint64_t mask = t.bits() == 64 ? ~uint64_t(0) : (uint64_t(1) << t.bits()) - 1;
    const uint64_t noise = mix(mix(run.seed + uint64_t(index) * 7919) ^ (uint64_t(uint32_t(x)) << 32 | uint32_t(y)));
    const uint64_t more = mix(noise);
    if (t.is_bool()) return noise & 1;
    switch (noise % 8) {
    case 0: return more % 4;
    case 1: return (mask - more % 3) & mask;                             // -1 and its neighbours, or the greatest
    case 2: return ((mask >> 1) + more % 3) & mask;                      // the greatest and the least signed numbers
    case 3: return (more >> (64 - t.bits())) >> (noise / 8 % t.bits());  // of every length
    case 4: return uint64_t(int64_t(x) * 3 + y * 5) & mask;
    default: return more & mask;
    }
}

int64_t param_value(const Pipeline &p, const Run &run, int index) {
    const ParamDecl &d = p.params[index];
    const uint64_t noise = mix(run.seed ^ mix(uint64_t(index) + 17)), more = mix(noise);
    const Range all = d.has_range ? Range{d.min, d.max} : range_of_type(d.type);
    switch (noise % 5) {
    case 0: return static_cast<int64_t>(all.lo);
    case 1: return static_cast<int64_t>(static_cast<uint64_t>(all.hi));
    case 2: return static_cast<int64_t>(all.lo + Wide(more) % std::min<Wide>(all.hi - all.lo + 1, 16));
    default: return static_cast<int64_t>(static_cast<uint64_t>(all.lo + Wide(more) % (all.hi - all.lo + 1)));
    }
}

uint64_t element_bits(const Buffer<> &b, int x, int y) {
    const int at[] = {x, y};
    uint64_t v = 0;
    std::memcpy(&v, b.raw_buffer()->address_of(at), b.type().bytes());
    return b.type().is_bool() ? v & 1 : v;
}

HostScalars::HostScalars(std::vector<Expr> values, Built built) : values(std::move(values)), built(std::move(built)) {
    std::vector<Expr> words;
    bool is_plain = true;
    for (const Expr &e : this->values) {
        words.push_back(cast<uint64_t>(e));
        const auto *v = e.as<Internal::Variable>();
        is_plain = is_plain && v && !v->param.is_buffer();   // no minimum or extent of an image
    }
    if (is_plain) return;
    computed = Func("scalars");
    computed() = Tuple(words);
    if (words.size() == 1) {
        computed = Func("scalars");
        computed() = words[0];
    }
    computed.compile_jit(cpu());
}

std::vector<uint64_t> HostScalars::run(const Pipeline &p, const Run &run) {
    std::vector<uint64_t> words;
    if (!computed.defined()) {
        for (const Expr &e : values) words.push_back(static_cast<uint64_t>(param_value(p, run, std::stoi(e.as<Internal::Variable>()->name.substr(1)))));
        return words;
    }
    Golden::set_inputs(p, run, built);
    const Realization r = computed.realize({}, cpu());
    for (size_t i = 0; i < r.size(); i++) words.push_back(*static_cast<const uint64_t *>(r[i].data()));
    return words;
}

Golden::Golden(const Pipeline &p) : p(p), built(build_for_cpu(p)), compiled(built.out) {
    try {
        compiled.compile_jit(cpu());
    } catch (const CompileError &e) {
        const std::string why = e.what();
        if (why.rfind("Error: Signed integer overflow occurred during constant-folding.", 0) == 0) throw RefusedByHalide(why);
        // Halide's bounds inference does not see that (a ^ b) % 7 is bounded.
        for (const char *unbounded : {" is accessed over an unbounded domain in dimension ", " may be accessed in an unbounded way in dimension "}) {
            if (why.find(unbounded) != std::string::npos) throw RefusedByHalide(why);
        }
        throw;
    } catch (const InternalError &e) {
        const std::string why = e.what();
        if (why.rfind("Error: Symbol not found: ", 0) == 0) throw RefusedByHalide(why);
        throw;
    }
}

void Golden::set_inputs(const Pipeline &p, const Run &run, Built &built) {
    const std::vector<Reach> boxes = boxes_of(p, analyse(p), run);
    for (size_t i = 0; i < built.images.size(); i++) {
        const Reach &r = boxes[i];
        Buffer<> b(p.inputs[i], std::vector<int>{r.max_x - r.min_x + 1, r.max_y - r.min_y + 1});
        b.set_min(r.min_x, r.min_y);
        for (int y = b.dim(1).min(); y <= b.dim(1).max(); y++) {
            for (int x = b.dim(0).min(); x <= b.dim(0).max(); x++) store(b, x, y, input_element(p, run, static_cast<int>(i), x, y));
        }
        built.images[i].set(b);
    }
    set_params(p, run, built);
}

std::vector<uint64_t> Golden::run(const Run &run) {
    set_inputs(p, run, built);
    Buffer<> out(p.stages.back().type, std::vector<int>{run.width, run.height});
    out.set_min(run.min_x, run.min_y);
    try {
        compiled.realize(out, cpu());
    } catch (const RuntimeError &e) {
        const std::string why = e.what();
        const bool is_beyond = why.find(" which is beyond the m") != std::string::npos;
        // A table is read at a place modulo its length. Halide's simplifier drops that where it knows better than its bounds do.
        const bool is_table = why.find("Input buffer values") != std::string::npos;
        if (is_beyond && (is_table || reduces_at_some_coordinates(p))) throw RefusedByHalide(why);
        throw;
    }
    std::vector<uint64_t> values;
    for (int y = 0; y < run.height; y++) {
        for (int x = 0; x < run.width; x++) values.push_back(element_bits(out, run.min_x + x, run.min_y + y));
    }
    return values;
}

}  // namespace argent::fuzz
