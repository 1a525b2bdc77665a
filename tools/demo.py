"""./demo [image]: Harris corners of a photograph, by the simulated accelerator; compared with the CPU. Called by ./demo after the build.

Leaves in build/demo: input.png, output.png, report.html, report.json."""
import json
import pathlib
import re
import subprocess
import sys

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "cmake"
OUT = ROOT / "build" / "demo"


def photograph(argument):
    if argument:
        return pathlib.Path(argument)
    import skimage
    return pathlib.Path(skimage.__file__).parent / "data" / "astronaut.png"


def to_grey(source, target, largest):
    """Any picture as 8-bit grey PNG, no larger than one launch takes. Returns its size."""
    from PIL import Image, ImageOps
    try:
        picture = ImageOps.exif_transpose(Image.open(source))
    except OSError as e:
        sys.exit(f"demo: {source} is no picture that can be read: {e}")
    if picture.mode in ("I", "I;16", "I;16B", "F"):  # more than 8 bits: the range that it has
        low, high = picture.getextrema()
        picture = picture.point(lambda v: (v - low) * (255.0 / max(high - low, 1))).convert("L")
    picture = picture.convert("L")
    picture.info.clear()  # a colour profile would not fit grey
    if picture.width > largest[0] or picture.height > largest[1]:
        before = picture.size
        picture.thumbnail(largest)
        print(f"    {before[0]}x{before[1]} is larger than one launch of this accelerator takes ({largest[0]}x{largest[1]}): "
              f"made smaller, {picture.width}x{picture.height}")
    picture.save(target)
    return picture.size


def synthesise(folder, accelerator):
    """The accelerator's cells, and those of each of its modules; None, None without Yosys."""
    design = measure.Design((folder / "rtl").glob("*.v"), accelerator["name"])
    try:
        print("==> synthesising with Yosys for the area (kept for the next time)", flush=True)
        cache = ROOT / "build" / "bench" / "cache"
        return measure.area(cache, design), measure.area_by_module(cache, design)
    except measure.ToolMissing as e:
        print(f"    no area: {e}")
    except measure.ToolFailed as e:
        print(f"    no area: {e}")
    return None, None


def resources(areas):
    total = {key: sum(a[key] for a in areas) for key in ("LUT", "SRL", "LUTRAM", "FF", "BRAM18", "DSP")}
    return {"lut": total["LUT"] + total["SRL"] + total["LUTRAM"], "ff": total["FF"], "bram18": total["BRAM18"], "dsp": total["DSP"]}


def complete_report(report, area, by_module):
    """Puts the area into report.json, of the whole and of each stage with its window, and draws report.html again."""
    whole = json.loads(report.read_text())
    accelerator = whole["accelerators"][0]
    accelerator["resources"] = resources([area])
    for stage in accelerator["stages"]:
        modules = [by_module[m] for m in stage.get("modules", []) if m in by_module]
        if modules:
            stage["resources"] = resources(modules)
    report.write_text(json.dumps(whole, indent=1) + "\n")
    tool = BUILD / "report" / "argent-report"
    if tool.exists():
        subprocess.run([tool, report, report.with_suffix(".html")], check=True)


def main():
    entries = {e["target"]: e for e in json.loads((BUILD / "accelerators.json").read_text())}
    entry = entries["harris"]
    folder = pathlib.Path(entry["folder"])
    accelerator = json.loads((folder / "manifest.json").read_text())["accelerators"][0]
    OUT.mkdir(parents=True, exist_ok=True)

    source = photograph(sys.argv[1] if len(sys.argv) > 1 else None)
    print(f"==> Harris corners of {source.name}: hardware in simulation, then the CPU")
    width, height = to_grey(source, OUT / "input.png", [b["extent"] for b in accelerator["block"]])
    command = [entry["run"], f"input={OUT / 'input.png'}", f"output={OUT / 'output.png'}", "--default_input_scalars",
               "--device=sim:", "--compare", f"--report={OUT / 'report.html'}"]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    speed = re.search(r"simulated +([0-9.]+) Mpixel/s", result.stdout)
    if result.returncode != 0 or not speed:
        print(result.stdout)
        print(f"\ndemo: the run ended with {result.returncode} (its words are above)", file=sys.stderr)
        return result.returncode or 1
    report = OUT / "report.json"
    measured = json.loads(report.read_text())["accelerators"][0]["measured"]
    area, by_module = synthesise(folder, accelerator)
    if area:
        complete_report(report, area, by_module)

    pixels = width * height
    clocks = measured["clocks"]
    predicted = measured["predicted"]["clocks"]
    mhz = accelerator["clock_mhz"]
    place = OUT.relative_to(ROOT)
    print(f"""
  picture           {width} x {height}, {pixels:,} pixels; all equal to the CPU's
  clocks            {clocks:,}; predicted before the run: {predicted:,}{'' if clocks == predicted else '  (NOT EQUAL)'}
  clocks per pixel  {clocks / pixels:.4f} at {accelerator['throughput']['pixels']} pixels per clock; {clocks / mhz / 1000:.2f} ms at {mhz:g} MHz on a {accelerator['board']}
  simulation        {speed[1]} megapixels per second on one core of this machine""")
    if area:
        print(f"  area              {area['LUT']:,} LUT ({area['SRL'] + area['LUTRAM']:,} more as memory), {area['FF']:,} flip-flops, "
              f"{area['BRAM18']} block RAMs of 18 kbit, {area['DSP']} DSP ({accelerator['part']})")
    print(f"  pictures          {place}/input.png, {place}/output.png")
    print(f"  report            {place}/report.html")
    print(f"  Verilog           {(folder / 'rtl').relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\ninterrupted; run ./demo again", file=sys.stderr)
        sys.exit(130)
