#include "hwgen/area/Elaborate.h"

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/rtl/Cells.h"

namespace argent::hwgen {

namespace {

namespace v = argent::verilog;
using Kind = v::ExprNode::Kind;

/** What drives a net. */
struct Driver {
    int width = 1;
    bool is_input = false, keep = false;
    std::vector<std::pair<v::Expr, v::Expr>> values;          // wires: (target, value)
    std::vector<std::pair<const v::Update *, const v::Clocked *>> updates;
    struct Pin {
        v::Expr target;
        const v::Instance *instance;
        std::string port;
    };
    std::vector<Pin> pins;                                    // of instances that may drive it
};

/** One instance of a module. */
struct Scope {
    const v::Module *module = nullptr;
    Scope *parent = nullptr;
    std::map<std::string, v::Expr> given;                     // inputs: expressions of the parent
    std::unordered_map<std::string, Driver> drivers;
    std::unordered_map<std::string, Lits> nets;
    std::set<std::string> in_work;
    std::map<std::string, std::unique_ptr<Scope>> children;   // by instance
    std::map<std::string, int> cells;
};

const std::string &name_of(const v::Expr &target) { return target.get().kind == Kind::Name ? target.get().name : target.get().args[0].get().name; }
int low_of(const v::Expr &target) { return target.get().kind == Kind::Name ? 0 : target.get().low; }

class Elaborator {
public:
    explicit Elaborator(const Modules &modules) : modules(modules) {}

    Netlist run(const v::Module &top) {
        Scope scope;
        open(scope, top);
        for (const v::Port &p : top.ports) {
            if (p.direction != v::Direction::Output) continue;
            const Lits &bits = net(scope, p.name);
            out.outputs.insert(out.outputs.end(), bits.begin(), bits.end());
        }
        return std::move(out);
    }

private:
    void open(Scope &s, const v::Module &m) {
        s.module = &m;
        for (const v::Port &p : m.ports) {
            s.drivers[p.name].width = p.width;
            s.drivers[p.name].is_input = p.direction == v::Direction::Input;
        }
        for (const v::Item &item : m.items) {
            if (const auto *w = std::get_if<v::Wire>(&item)) {
                Driver &d = s.drivers[w->name];
                d.width = w->width, d.keep = w->keep;
                if (w->value.defined()) d.values.push_back({v::name(w->name, w->width), w->value});
            } else if (const auto *r = std::get_if<v::Reg>(&item)) {
                s.drivers[r->name].width = r->width;
            } else if (const auto *a = std::get_if<v::Assign>(&item)) {
                s.drivers[name_of(a->target)].values.push_back({a->target, a->value});
            } else if (const auto *c = std::get_if<v::Clocked>(&item)) {
                for (const v::Update &u : c->updates) s.drivers[name_of(u.target)].updates.push_back({&u, c});
            } else if (const auto *i = std::get_if<v::Instance>(&item)) {
                connect(s, *i);
            }
        }
    }

    bool is_output(const std::string &module, const std::string &port) {
        const auto known = modules.find(module);
        if (known == modules.end()) {
            const auto [at, is_new] = cell_outputs.emplace(module, std::set<std::string>());
            if (is_new) at->second = outputs_of_cell(module);
            return at->second.count(port) > 0;
        }
        const std::vector<v::Port> &ports = known->second->ports;
        return std::any_of(ports.begin(), ports.end(), [&](const v::Port &p) { return p.name == port && p.direction == v::Direction::Output; });
    }

    void connect(Scope &s, const v::Instance &i) {
        for (const auto &[port, value] : i.connections) {
            if (value.defined() && is_output(i.module, port)) pins_of(s, value, i, port, value);
        }
    }

    static void pins_of(Scope &s, const v::Expr &part, const v::Instance &i, const std::string &port, const v::Expr &whole) {
        if (part.get().kind != Kind::Concat) {
            s.drivers[name_of(part)].pins.push_back({whole, &i, port});
            return;
        }
        for (const v::Expr &e : part.get().args) pins_of(s, e, i, port, whole);
    }

    const Lits &net(Scope &s, const std::string &id) {
        const auto known = s.nets.find(id);
        if (known != s.nets.end()) return known->second;
        const auto found = s.drivers.find(id);
        argent_internal_assert(found != s.drivers.end(), "elaborate", "nothing drives " + id + " of " + s.module->name);
        const Driver &d = found->second;
        if (!d.updates.empty()) return registers(s, id, d);
        if (!s.in_work.insert(id).second) {   // bits of one net that depend on others of it
            Lits cut;
            for (int i = 0; i < d.width; i++) cut.push_back(out.input());
            return s.nets[id] = cut;
        }
        Lits bits(d.width, 0);
        if (d.is_input) {
            const auto given = s.given.find(id);
            if (given != s.given.end() && given->second.defined()) bits = of(*s.parent, given->second);
            else if (!s.parent) for (Lit &l : bits) l = out.input();
        }
        for (const auto &[target, value] : d.values) {
            const Lits part = of(s, value);
            std::copy(part.begin(), part.end(), bits.begin() + low_of(target));
        }
        for (const Driver::Pin &p : d.pins) pin(s, id, p, bits);
        s.in_work.erase(id);
        return s.nets[id] = bits;
    }

    /** The bits of net `id` that a pin drives. */
    void pin(Scope &s, const std::string &id, const Driver::Pin &p, Lits &bits) {
        const Lits &driven = output(s, *p.instance, p.port);
        int at = p.target.width();
        const auto place = [&](const v::Expr &part) {
            at -= part.width();
            if (name_of(part) == id) std::copy_n(driven.begin() + at, part.width(), bits.begin() + low_of(part));
        };
        if (p.target.get().kind == Kind::Concat) {
            for (const v::Expr &e : p.target.get().args) place(e);
        } else {
            place(p.target);
        }
    }

    const Lits &output(Scope &s, const v::Instance &i, const std::string &port) {
        const auto known = modules.find(i.module);
        if (known != modules.end()) {
            std::unique_ptr<Scope> &child = s.children[i.name];
            if (!child) {
                child = std::make_unique<Scope>();
                child->parent = &s;
                for (const auto &[name, value] : i.connections) child->given[name] = value;
                open(*child, *known->second);
            }
            return net(*child, port);
        }
        const auto at = s.cells.find(i.name);
        if (at != s.cells.end()) return out.cells[at->second].outputs.at(port);
        return cell(s, i).outputs.at(port);
    }

    /** Whether a pin drives all of a net, which what the instance reads may depend on, then. */
    static bool is_driven_by(const Scope &s, const v::Expr &net, const v::Instance &i) {
        if (net.get().kind != Kind::Name) return false;
        const Driver &d = s.drivers.at(net.get().name);
        return d.values.empty() && d.updates.empty() && d.pins.size() == 1 && d.pins[0].instance == &i;
    }

    const Netlist::Cell &cell(Scope &s, const v::Instance &i) {
        Netlist::Cell c;
        c.module = i.module;
        for (const auto &[key, value] : i.parameters) c.parameters[key] = value;
        const int number = s.cells[i.name] = out.add_cell(std::move(c));
        std::vector<std::pair<std::string, v::Expr>> inputs;
        for (const auto &[port, value] : i.connections) {
            if (!value.defined() || port == "clk") continue;
            if (is_output(i.module, port)) {
                Lits bits;
                for (int k = 0; k < value.width(); k++) bits.push_back(out.cell_output(number));
                out.cells[number].outputs[port] = bits;
                if (is_driven_by(s, value, i)) s.nets[name_of(value)] = bits;
            } else {
                inputs.push_back({port, value});
            }
        }
        for (const auto &[port, value] : inputs) {   // last: they may depend on its outputs
            const Lits bits = of(s, value);
            Netlist::Cell &made = out.cells[number];
            for (size_t k = unread_low_bits(i.module, port, made.parameters); k < bits.size(); k++) {
                if (bits[k] < 2) continue;
                made.inputs.push_back(bits[k]);
                made.varying[port]++;
            }
        }
        return out.cells[number];
    }

    const Lits &registers(Scope &s, const std::string &id, const Driver &d) {
        const auto declare = [&] {
            Lits bits;
            for (int i = 0; i < d.width; i++) bits.push_back(out.declare_register());
            return bits;
        };
        if (!s.in_work.insert(id).second) return s.nets[id] = declare();   // it is read by what drives it
        bool holds = false;
        for (const auto &[u, block] : d.updates) holds |= u->enable.defined() && d.updates.size() > 1;
        if (holds) s.nets[id] = declare();
        std::vector<Netlist::Register> bits(d.width);
        const auto own = [&](int i) { return s.nets.at(id)[i]; };
        if (holds) for (int i = 0; i < d.width; i++) bits[i].d = own(i);
        for (const auto &[u, block] : d.updates) {
            const Lits value = of(s, u->value);
            const Lit enable = u->enable.defined() ? of(s, u->enable)[0] : 1;
            const Lit reset = u->reset_to.defined() ? net(s, block->reset)[0] : 0;
            const Lits resets_to = u->reset_to.defined() ? of(s, u->reset_to) : Lits(value.size(), 0);
            for (size_t i = 0; i < value.size(); i++) {
                Netlist::Register &r = bits[low_of(u->target) + i];
                if (holds) r.d = out.mux(enable, value[i], r.d);
                else r.d = value[i], r.enable = enable;
                r.reset = reset, r.resets_to = resets_to[i] == 1;
            }
        }
        s.in_work.erase(id);
        const auto declared = s.nets.find(id);
        if (declared != s.nets.end()) {
            for (int i = 0; i < d.width; i++) out.drive(declared->second[i], bits[i]);
            return declared->second;
        }
        Lits q;
        for (int i = 0; i < d.width; i++) q.push_back(out.clocked(bits[i]));
        return s.nets[id] = q;
    }

    Lits of(Scope &s, const v::Expr &e) {
        const v::ExprNode &n = e.get();
        switch (n.kind) {
        case Kind::Name: return net(s, n.name);
        case Kind::Literal: return literal(n);
        case Kind::Unary: return unary(n.unary, of(s, n.args[0]));
        case Kind::Binary: return binary(n, of(s, n.args[0]), of(s, n.args[1]));
        case Kind::Select: {
            const Lit c = of(s, n.args[0])[0];
            const Lits yes = of(s, n.args[1]), no = of(s, n.args[2]);
            Lits bits;
            for (size_t i = 0; i < yes.size(); i++) bits.push_back(out.mux(c, yes[i], no[i]));
            return bits;
        }
        case Kind::Concat: {
            Lits bits;
            for (size_t i = n.args.size(); i-- > 0;) {
                const Lits part = of(s, n.args[i]);
                bits.insert(bits.end(), part.begin(), part.end());
            }
            return bits;
        }
        case Kind::Repeat: {
            const Lits part = of(s, n.args[0]);
            Lits bits;
            for (int i = 0; i < n.count; i++) bits.insert(bits.end(), part.begin(), part.end());
            return bits;
        }
        case Kind::Slice: case Kind::Index:
            if (const v::ExprNode &whole = n.args[0].get(); whole.kind == Kind::Name) return slice(net(s, whole.name), n);
            return slice(of(s, n.args[0]), n);
        }
        return {};
    }

    static Lits slice(const Lits &whole, const v::ExprNode &n) { return Lits(whole.begin() + n.low, whole.begin() + n.high + 1); }

    static Lits literal(const v::ExprNode &n) {
        Lits bits;
        for (size_t k = n.name.size(); k-- > 0;) {
            const int digit = std::stoi(n.name.substr(k, 1), nullptr, 16);
            for (int b = 0; b < 4; b++) bits.push_back(digit >> b & 1);
        }
        bits.resize(n.width, 0);
        return bits;
    }

    Lits unary(v::UnaryOp op, const Lits &a) {
        Lits bits = a;
        switch (op) {
        case v::UnaryOp::Not: for (Lit &l : bits) l = invert(l); return bits;
        case v::UnaryOp::Negate: return out.sum(Lits(a.size(), 0), a, true, 1);
        case v::UnaryOp::ReduceAnd: return {out.all_of(a)};
        case v::UnaryOp::ReduceOr: return {out.any_of(a)};
        case v::UnaryOp::ReduceXor: {
            Lit x = 0;
            for (Lit l : a) x = out.lxor(x, l);
            return {x};
        }
        }
        return {};
    }

    Lits binary(const v::ExprNode &n, const Lits &a, const Lits &b) {
        const auto each = [&](auto &&f) {
            Lits bits;
            for (size_t i = 0; i < a.size(); i++) bits.push_back(f(a[i], b[i]));
            return bits;
        };
        const auto same = [&] {   // three bits of both fill a table
            const Lits bits = each([&](Lit x, Lit y) { return invert(out.lxor(x, y)); });
            Lits groups;
            for (size_t i = 0; i < bits.size(); i += 3) groups.push_back(out.all_of(Lits(bits.begin() + i, bits.begin() + std::min(bits.size(), i + 3))));
            return out.all_of(groups);
        };
        switch (n.binary) {
        case v::BinaryOp::Add: return out.sum(a, b, false, 0);
        case v::BinaryOp::Sub: return out.sum(a, b, true, 1);
        case v::BinaryOp::Mul: return out.product(a, b, n.is_signed, n.width);
        case v::BinaryOp::And: case v::BinaryOp::LogicalAnd: return each([&](Lit x, Lit y) { return out.land(x, y); });
        case v::BinaryOp::Or: case v::BinaryOp::LogicalOr: return each([&](Lit x, Lit y) { return out.lor(x, y); });
        case v::BinaryOp::Xor: return each([&](Lit x, Lit y) { return out.lxor(x, y); });
        case v::BinaryOp::Shl: return shifted(a, b, true, 0);
        case v::BinaryOp::Shr: return shifted(a, b, false, 0);
        case v::BinaryOp::Sra: return shifted(a, b, false, a.back());
        case v::BinaryOp::Eq: return {same()};
        case v::BinaryOp::Ne: return {invert(same())};
        case v::BinaryOp::Lt: return {out.less(a, b, n.is_signed, false)};
        case v::BinaryOp::Le: return {out.less(a, b, n.is_signed, true)};
        case v::BinaryOp::Gt: return {out.less(b, a, n.is_signed, false)};
        case v::BinaryOp::Ge: return {out.less(b, a, n.is_signed, true)};
        }
        return {};
    }

    Lits shifted(Lits a, const Lits &by, bool left, Lit fill) {
        const int width = static_cast<int>(a.size());
        for (size_t k = 0; k < by.size(); k++) {
            const int64_t step = k < 30 ? int64_t(1) << k : int64_t(1) << 30;
            Lits next;
            for (int64_t i = 0; i < width; i++) {
                const int64_t from = left ? i - step : i + step;
                next.push_back(out.mux(by[k], from < 0 || from >= width ? fill : a[from], a[i]));
            }
            a = std::move(next);
        }
        return a;
    }

    const Modules &modules;
    std::map<std::string, std::set<std::string>> cell_outputs;
    Netlist out;
};

}  // namespace

Netlist elaborate(const v::Module &top, const Modules &modules) { return Elaborator(modules).run(top); }

}  // namespace argent::hwgen
