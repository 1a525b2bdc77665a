"""areas.py [name[@pixels] ...]: cells of the kernels' streaming cores, next to those of tools/areas.json and to those that they are to reach.

  areas.py                      all that are in the table; a minute or two each the first time, what has not changed is remembered
  areas.py sobel sobel@8        these, at 1 and at 8 pixels per clock
  --check                       exit with 1 if one has grown by more than 3 %; this is what ctest runs, for a few
  --update                      write what was measured into the table
  --clocks                      the clocks in place of the areas, at the default target and at clock(250): a minute each; written into tools/clocks.json

The kernels are those of test/kernels and the app camera_small, at 1 pixel per clock unless said otherwise: `synth_xilinx -family xc7 -noiopad -flatten -nodsp` of
<name>_core. tools/areas.json is committed, so that every change of an area shows in a diff."""
import argparse
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = (ROOT / "build" / "cmake").resolve()
CACHE = ROOT / "build" / "bench" / "cache"
TABLE = ROOT / "tools" / "areas.json"
CLOCKS = ROOT / "tools" / "clocks.json"   # {kernel: {clock asked for: MHz}}
DEFAULT, FAST = "150", "250"
MHZ_TO_REACH = {DEFAULT: 150, FAST: 230}
FAST_KERNELS = ("gaussian_3x3", "sobel", "median_3x3", "harris_response")
COLUMNS = ("LUT", "FF", "SRL", "LUTRAM", "BRAM18", "DSP")
MORE = 1.03   # of what the table says is a failure
# What an expert's RTL needs, borders and control included, at 1 pixel per clock: LUT, FF, BRAM18.
TO_REACH = {"gaussian_3x3": (80, 200, 2), "sobel": (115, 250, 2), "median_3x3": (170, 350, 2), "sharpen_3x3": (80, 160, 2),
            "gaussian_5x5": (190, 400, 4), "conv_4x4": (480, 700, 3), "conv_8x8": (2000, 2400, 7), "harris_response": (1200, 1400, 14),
            "rgb_to_yuv": (230, 170, 0), "demosaic_bilinear": (180, 220, 2), "demosaic_malvar": (600, 650, 4), "camera_small": (1600, 1500, 8)}


# The best that is published or was measured in the same way: what, LUT, FF, BRAM18.
BEST_KNOWN = {"gaussian_3x3": ("no borders", 91, 247, 2), "sobel": ("no borders", 151, 281, 2), "median_3x3": ("no borders", 238, 422, 2),
              "sharpen_3x3": ("no borders", 65, 133, 2), "gaussian_5x5": ("with borders, 960 LUTRAM", 741, 480, 0), "conv_4x4": ("", 688, 948, 3),
              "conv_8x8": ("", 2872, 3204, 7), "rgb_to_yuv": ("", 332, 170, 0), "demosaic_bilinear": ("no borders", 180, 161, 2),
              "demosaic_malvar": ("no borders", 767, 652, 4), "harris_response": ("16 bit, 64 wide", 2817, 1655, 16),
              "camera_small": ("16 bit, 64 wide", 3547, 1318, 10)}
TITLE = "## Kernels"
HEAD = TITLE + """

Written by `./bench`, from [tools/areas.json](../tools/areas.json): streaming cores of [test/kernels](../test/kernels) at 1 pixel per clock, with
`repeat_edge` borders, any size up to 1920x1080 and valid/ready on both sides; ordinary sources, no hints, default board and clock. Yosys
`synth_xilinx -family xc7 -noiopad -flatten -nodsp`. A test fails when one of them grows by more than 3 %.

| kernel | LUT | to reach | best known | FF | to reach | best known | BRAM18 | to reach | best known | best known is |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|
"""


GROWTH = """
At 2, 4 and 8 pixels per clock, P: LUT and FF, and the LUT next to P times those at one pixel. 1 is to be reached, and 0.8 at 8 where lanes overlap:

| kernel | 1 | 2 | of 2 x | 4 | of 4 x | 8 | of 8 x |
|---|--:|--:|--:|--:|--:|--:|--:|
"""


def write_table(path, table):
    """A line a key, so that a diff shows what has changed."""
    path.write_text("{\n" + ",\n".join(f' "{key}": {json.dumps(table[key])}' for key in sorted(table)) + "\n}\n")


def growth(table):
    """What lanes share: a line for each kernel that the table has at several pixels, too."""
    lines = []
    for name in dict.fromkeys(key.partition("@")[0] for key in table if not key.endswith("@1")):
        one = table[f"{name}@1"]
        cells = [f"{one['LUT']:,} / {one['FF']:,}"]
        for pixels in (2, 4, 8):
            more = table.get(f"{name}@{pixels}")
            cells += [f"{more['LUT']:,} / {more['FF']:,}", f"{more['LUT'] / (pixels * one['LUT']):.2f}"] if more else ["", ""]
        lines.append(f"| **{name}** | {' | '.join(cells)} |")
    return GROWTH + "\n".join(lines) + "\n"


CLOCKS_HEAD = """
Clocks of these cores on an ECP5, in the way of the first table and with block RAM output registers on: at the default target, where {150} MHz are to be reached, and at `clock(250)`, where {250} are.

| kernel | MHz | MHz at `clock(250)` |
|---|--:|--:|
"""


def clocks():
    """What is known of them."""
    known = json.loads(CLOCKS.read_text()) if CLOCKS.exists() else {}
    order = dict.fromkeys([*TO_REACH, *known])
    lines = [f"| **{name}** | {known[name].get(DEFAULT, '')} | {known[name].get(FAST, '')} |" for name in order if name in known]
    head = CLOCKS_HEAD.replace("{150}", str(MHZ_TO_REACH[DEFAULT])).replace("{250}", str(MHZ_TO_REACH[FAST]))
    return head + "\n".join(lines) + "\n" if lines else ""


def markdown():
    """The kernels of the table next to what they are to reach and to the best that is known."""
    table = json.loads(TABLE.read_text())
    lines = []
    columns = ("LUT", "FF", "BRAM18")
    for name, goals in TO_REACH.items():
        now, (what, *best) = table[f"{name}@1"], BEST_KNOWN[name]
        cells = [f"{now[column]:,} | {goal:,} | {other:,}" for column, goal, other in zip(columns, goals, best)]
        lines.append(f"| **{name}** | {' | '.join(cells)} | {what} |")
    for key, now in table.items():
        name, _, pixels = key.partition("@")
        if pixels == "1" and name not in TO_REACH:
            lines.append(f"| **{name}** | {' | '.join(f'{now[column]:,} |  | ' for column in columns)} |  |")
    return HEAD + "\n".join(lines) + "\n" + clocks() + growth(table)


def kernels(build):
    """{name: its entry in accelerators.json}"""
    entries = json.loads((build / "accelerators.json").read_text())
    return {e["target"]: e for e in entries if e["folder"].startswith(str(build / "test" / "kernels")) or e["target"] in TO_REACH}


@contextlib.contextmanager
def generated(entry, *params):
    """The streaming core of one kernel, from its generator on."""
    name = entry["function"]
    with tempfile.TemporaryDirectory() as folder:
        command = [entry["generator"], "-n", name, "-g", entry["generator_name"], "-f", name, "-e", "verilog,manifest", "-o", folder,
                   f"target={entry['halide_target']}", *entry["params"], *params]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise measure.ToolFailed(f"{name}: the generator failed:\n{done.stdout}")
        yield measure.Design(sorted((pathlib.Path(folder) / name / "rtl").glob("*.v")), f"{name}_core")


def measured(entry, pixels):
    """The columns of one kernel."""
    with generated(entry, f"pixels={pixels}") as core:
        cells = measure.area(CACHE, core, nodsp=True)
    return {column: cells[column] for column in COLUMNS}


def measure_clocks(known, names):
    """Prints them, and writes each into the table as soon as it is known."""
    table = json.loads(CLOCKS.read_text()) if CLOCKS.exists() else {}
    for name in names or [key.removesuffix("@1") for key in json.loads(TABLE.read_text()) if key.endswith("@1")]:
        for asked in (DEFAULT, FAST) if name in FAST_KERNELS else (DEFAULT,):
            with generated(known[name], *([f"clock={asked}"] if asked != DEFAULT else [])) as core:
                clock = measure.clock(CACHE, core)
            mhz = round(clock.get("mhz_ram_registers", clock["mhz"]))
            print(f"{name:20} clock({asked}) {mhz:5} MHz{'' if mhz >= MHZ_TO_REACH[asked] else f'   to reach: {MHZ_TO_REACH[asked]}'}", flush=True)
            table.setdefault(name, {})[asked] = mhz
            write_table(CLOCKS, table)
    return 0


def grown(old, new):
    """The columns that are more than the table allows."""
    return [c for c in COLUMNS if new[c] > old[c] * MORE]


def main():
    parser = argparse.ArgumentParser(prog="areas.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="name[@pixels]")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--clocks", action="store_true")
    parser.add_argument("--build", type=pathlib.Path, default=BUILD, help="the build folder, if it is not build/cmake")
    options = parser.parse_args()

    table = json.loads(TABLE.read_text()) if TABLE.exists() else {}
    known = kernels(options.build)
    unknown = [spec for spec in options.names if spec.partition("@")[0] not in known]
    if unknown:
        sys.exit(f"areas.py: there is no kernel {', '.join(unknown)}; there are: {', '.join(known)}")
    if options.clocks:
        return measure_clocks(known, [spec.partition("@")[0] for spec in options.names])
    failed = False
    print("".ljust(20) + "".join(c.rjust(9) for c in COLUMNS) + "   to reach: LUT / FF / BRAM18".ljust(32) + "   table: " + " / ".join(COLUMNS))
    for spec in options.names or table:
        name, _, pixels = spec.partition("@")
        key = f"{name}@{pixels or 1}"
        try:
            new = measured(known[name], int(pixels or 1))
        except measure.ToolMissing as missing:
            print(f"[SKIP] {missing}")
            return 77
        old = table.get(key)
        line = key.ljust(20) + "".join(str(new[c]).rjust(9) for c in COLUMNS)
        line += ("   " + " / ".join(map(str, TO_REACH.get(name, ()) if key.endswith("@1") else ()))).ljust(32)
        if old:
            line += "   " + " / ".join(str(old[c]) for c in COLUMNS)
            more = grown(old, new)
            if more:
                line += f"   GROWN by more than 3 %: {', '.join(more)}"
                failed = True
        elif options.check:
            line += "   not in tools/areas.json"
            failed = True
        print(line, flush=True)
        table[key] = new
    if options.update:
        write_table(TABLE, table)
    if failed and options.check:
        print("If that is worth it, say why in the commit and run tools/areas.py --update.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
