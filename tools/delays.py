"""delays.py [--seeds n]: the delays by which nextpnr-ecp5's paths come out, next to those of hwgen/ir/Part.cpp (xc7).

Places small modules, registers in front and behind: `adders` sums of so many bits in a row, `tables` look-up tables in a row, and sums of
which one operand is chosen. What they take is fitted to

  clock_to_out + setup + adders * (carry_start + bits * carry_per_bit) + tables * lut + chosen * absorbed

by least squares. clock_to_out and setup cannot be told apart; a net that is in front of a register is in neither. A few minutes; nothing is kept."""
import argparse
import json
import pathlib
import re
import statistics
import tempfile

import numpy

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = [(adders, bits, 0, 0) for adders in (1, 2, 3) for bits in (8, 16)] + [(0, 8, tables, 0) for tables in (1, 2, 4)] + [(1, 8, 0, 1), (2, 16, 0, 1)]
COPIES = 8   # of each, so that it is no lone path in an empty part


def module(adders, bits, tables, chosen):
    """COPIES of a path, every operand a register of its own."""
    v = [f"module harness (input wire clk, input wire si, output wire so);", f"(* keep *) reg [{bits - 1}:0] r [0:{COPIES * 8}];", "integer i;",
         "always @(posedge clk) begin", f"  r[0] <= {{r[0][{bits - 2}:0], si}};", f"  for (i = 1; i <= {COPIES * 8}; i = i + 1) r[i] <= {{r[i-1][{bits - 2}:0], r[i-1][{bits - 1}]}};", "end"]
    for k in range(COPIES):
        def operand(n):
            return f"r[{k * 8 + n % 8 + 1}]"
        v.append(f"(* keep *) wire [{bits - 1}:0] w{k}_0 = {operand(0)};")
        for n in range(1, adders + tables + 1):
            a, b = f"w{k}_{n - 1}", operand(n)
            if n > adders:
                value = f"({a} & {{{operand(n + 1)}[0], {a}[{bits - 1}:1]}}) ^ {b}"
            else:
                value = f"{b} + ({operand(n + 1)}[0] ? {a} : {operand(n + 2)})" if chosen else f"{a} + {b}"
            v.append(f"(* keep *) wire [{bits - 1}:0] w{k}_{n} = {value};")
        v.append(f"(* keep *) reg [{bits - 1}:0] o{k}; always @(posedge clk) o{k} <= w{k}_{adders + tables};")
    v += [f"reg q; always @(posedge clk) q <= ^{{{', '.join(f'o{k}[{bits - 1}]' for k in range(COPIES))}}};", "assign so = q;", "endmodule", ""]
    return "\n".join(v)


def longest(folder, case, seeds):
    """ns of the longest path that ends in a register o, the median of the seeds."""
    (pathlib.Path(folder) / "case.v").write_text(module(*case))
    measure.run("yosys", ["-q", "-p", "read_verilog case.v; synth_ecp5 -top harness -json netlist.json"], folder)
    times = []
    for seed in range(1, seeds + 1):
        measure.run("nextpnr-ecp5", ["-q", "--85k", "--package", "CABGA756", "--freq", "250", "--lpf-allow-unconstrained", "--timing-allow-fail",
                                     "--seed", str(seed), "--json", "netlist.json", "--report", "report.json"], folder)
        report = json.loads((pathlib.Path(folder) / "report.json").read_text())
        times.append(1000 / max(c["achieved"] for c in report["fmax"].values()))
    return statistics.median(times)


def figures():
    """Those of xc7 in Part.cpp."""
    text = (ROOT / "hwgen" / "ir" / "Part.cpp").read_text()
    body = text[text.index("Part xc7() {"):].split("}")[0]
    return {name: eval(value) for name, value in re.findall(r"p\.(\w+) = ([-0-9. +*/]+);", body)}  # noqa: S307: sums of numbers


def main():
    parser = argparse.ArgumentParser(prog="delays.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    known = figures()
    names = ("clock_to_out + setup", "carry_start", "carry_per_bit", "lut", "absorbed")
    now = [known["clock_to_out"] + known["setup"], known["carry_start"], known["carry_per_bit"], known["lut"], known["absorbed"]]
    rows, taken = [], []
    print("adders  bits  tables  chosen   placed  model (ns)")
    for adders, bits, tables, chosen in CASES:
        with tempfile.TemporaryDirectory() as folder:
            taken.append(longest(folder, (adders, bits, tables, chosen), options.seeds))
        rows.append([1, adders, adders * bits, tables, adders * chosen])
        print(f"{adders:6}{bits:6}{tables:8}{chosen:8}{taken[-1]:9.2f}{sum(r * f for r, f in zip(rows[-1], now)):7.2f}", flush=True)
    fit = numpy.linalg.lstsq(numpy.array(rows, float), numpy.array(taken), rcond=None)[0]
    print("\n" + "figure".ljust(24) + "fitted   Part.cpp")
    for name, fitted, figure in zip(names, fit, now):
        print(name.ljust(22) + f"{fitted:8.3f}{figure:11.3f}")


if __name__ == "__main__":
    main()
