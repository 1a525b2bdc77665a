"""estimates.py: what the compiler estimates of the area of every accelerator of the build (report.json, docs/area.md), next to tools/estimates.json.

  estimates.py                  those that have changed
  --check                       exit with 1 if one has grown by more than 3 % and 5 cells, or is not in the table; this is what ctest runs
  --update                      write what the reports say into the table

Streaming cores of all applications and kernels, at every throughput at which they are built. To count their cells takes an hour (tools/areas.py does it for the
kernels, ./bench for the applications); the estimates are there with each build, so none grows unnoticed. tools/estimates.json is committed: every change shows in a diff."""
import argparse
import json
import pathlib
import sys

import area_model
import areas

TABLE = areas.ROOT / "tools" / "estimates.json"
FLOOR = 5   # growth of so many cells, and of areas.MORE, is a failure


def estimated(build):
    """{target: {"LUT": ..., "FF": ..., "BRAM18": ..., "DSP": ...}}; cores of several accelerators in one pipeline together."""
    found = {}
    for entry in json.loads((build / "accelerators.json").read_text()):
        reports = json.loads((pathlib.Path(entry["folder"]) / "report.json").read_text())["accelerators"]
        cores = [area_model.estimate(r["area"]["core"]) for r in reports]
        found[entry["target"]] = {kind: sum(core[kind] for core in cores) for kind in area_model.KINDS}
    return found


def has_grown(old, new):
    return any(new[kind] > old[kind] * areas.MORE and new[kind] > old[kind] + FLOOR for kind in area_model.KINDS)


def text(cells):
    return " / ".join(f"{cells[kind]:,}" for kind in area_model.KINDS)


def main():
    parser = argparse.ArgumentParser(prog="estimates.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--build", type=pathlib.Path, default=areas.BUILD, help="the build folder, if it is not build/cmake")
    options = parser.parse_args()

    table = json.loads(TABLE.read_text()) if TABLE.exists() else {}
    now = estimated(options.build)
    failed = False
    for target, cells in now.items():
        old = table.get(target)
        if old == cells:
            continue
        verdict = "not in the table" if not old else "GROWN by more than 3 %" if has_grown(old, cells) else ""
        failed = failed or bool(verdict)
        print(f"{target:30} {text(cells)}   {f'table: {text(old)}' if old else ''}   {verdict}")
    if options.update:
        areas.write_table(TABLE, now)
    if failed and options.check:
        print(f"If that is worth it, say why in the commit and run tools/estimates.py --update. Columns: {' / '.join(area_model.KINDS)}.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
