#include "hwgen/verilog/Build.h"

namespace argent::verilog {

int bits_for(int64_t value) {
    int bits = 1;
    while ((value >> bits) != 0) bits++;
    return bits;
}

int log2_of(int power) {
    int n = 0;
    while ((1 << n) < power) n++;
    return n;
}

Expr Builder::input(const std::string &wish, int width, std::string comment) {
    const std::string n = names.unique(wish);
    module.ports.push_back({Direction::Input, n, width, std::move(comment)});
    return name(n, width);
}

Expr Builder::output(const std::string &wish, int width, std::string comment) {
    const std::string n = names.unique(wish);
    module.ports.push_back({Direction::Output, n, width, std::move(comment)});
    return name(n, width);
}

Expr Builder::wire(const std::string &wish, int width) {
    const std::string n = names.unique(wish);
    module.items.push_back(Wire{n, width, {}, {}});
    return name(n, width);
}

Expr Builder::wire(const std::string &wish, Expr value, std::string comment) {
    const std::string n = names.unique(wish);
    const int width = value.width();
    module.items.push_back(Wire{n, width, std::move(value), std::move(comment)});
    return name(n, width);
}

Expr Builder::declare_reg(const std::string &wish, int width, std::string comment) {
    const std::string n = names.unique(wish);
    module.items.push_back(Reg{n, width, 0, std::move(comment)});
    return name(n, width);
}

void Builder::update(Update u) {
    Clocked block;
    block.updates.push_back(std::move(u));
    module.items.push_back(std::move(block));
}

Expr Builder::reg(const std::string &n, Expr value, std::string comment) {
    const Expr r = declare_reg(n, value.width(), std::move(comment));
    update({r, std::move(value), {}, {}, {}});
    return r;
}

Expr Builder::reg_if(const std::string &n, Expr enable, Expr value, std::string comment) {
    const Expr r = declare_reg(n, value.width(), std::move(comment));
    update({r, std::move(value), std::move(enable), {}, {}});
    return r;
}

void Builder::assign(Expr target, Expr value) {
    module.items.push_back(Assign{std::move(target), std::move(value), {}});
}

}  // namespace argent::verilog
