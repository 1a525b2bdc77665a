"""What applications do on boards: the device platform: (docs/platform.md), a frame of up to 1920x1080 each. Used by bench.py for docs/figures.md."""
import json
import re
import subprocess
import tempfile

BOARDS = ("pynq-z2", "zcu104", "ulx3s")
FRAMES = 2        # the first is not counted
ENOUGH = 1.02     # so many ports are enough as give these clocks, against all of the board's
TITLE = "## Applications on boards\n"
HEAD = TITLE + """
Written by `./bench --platform`. Frames of up to 1920x1080 of the whole application on the [model of the board](platform.md), with the accelerator's clock and the
memory of that board. Time goes into the accelerator's work, into its waiting for memory, into the driver (register accesses, interrupt) and into the host's stages; the
host's part is the time on the machine that measured, times the board's factor, and those factors are assumptions. Over reference: clocks of the accelerator against the
memory on which clocks are predicted. Ports: how many of the board's memory ports give the clocks of all of them within 2 %.

"""
OVERLAP_TITLE = "### Host and accelerator at once\n"
OVERLAP = OVERLAP_TITLE + """
A pipeline of {strips} strips of {width}x{rows} on pynq-z2 whose host stage takes as long as the accelerator, in threads of their own by Halide's `async()`; on the board's time, as
`platform.overlap` tests it.

|  | host, ms | accelerator, ms | together, ms | / the slower half |
|---|--:|--:|--:|--:|
"""
COLUMNS = ("", "board", "MHz", "frames/s", "work", "waits", "driver", "host", "clocks", "/ reference", "memory MB/s", "memory busy", "ports", "limit of the accelerator")


class Failed(Exception):
    pass


def run(program, uri, extents, frames=FRAMES):
    """(figures of the platform, what the runner said)"""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [str(program), f"--device={uri},report={report.name}", f"--output_extents={json.dumps(extents)}", f"--frames={frames}", "--compare"]
        # Images of the frame's size, as bench.py has them; where an input is no such image (a matrix), as large as it has to be.
        for inputs in (["--default_input_buffers=random:1:auto"], []):
            done = subprocess.run(command + inputs, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode == 0:
                break
        if done.returncode != 0:
            raise Failed(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout}")
        return json.load(open(report.name)), done.stdout


def measure(program, board, extents):
    """One application on one board."""
    report, said = run(program, f"platform:{board}", extents)
    frames = report["frames"]
    clocks = report["clocks"] // frames
    forecast = re.search(r"predicted (\d+) on", said)
    seconds = report["seconds"]
    ports, most = 1, max(len([c for c in report["channels"] if c["name"].endswith(kind)]) for kind in ("read", "write"))
    while ports < most:
        fewer, _ = run(program, f"platform:{board},cpu=0,ports={ports}", extents, 1)
        if fewer["clocks"] <= ENOUGH * clocks:
            break
        ports += 1
    return {"board": board, "mhz": report["clock_mhz"], "clocks": clocks, "reference": int(forecast[1]) if forecast else clocks if "as predicted" in said else None,
            "fps": frames / seconds["total"], "work": seconds["computing"] / seconds["total"],
            "waits": (seconds["reading"] + seconds["writing"]) / seconds["total"], "driver": seconds["driver"] / seconds["total"],
            "host": seconds["host"] / seconds["total"],
            "mb": (report["memory"]["bytes_read"] + report["memory"]["bytes_written"]) / seconds["total"] * 1e-6, "busy": report["memory"]["busy"],
            "ports": ports, "limit": report["accelerators_limit"].split(";")[0].split(",")[0]}


def row(name, r):
    over = f"{r['clocks'] / r['reference']:.4f}" if r["reference"] else ""
    return [f"**{name}**", r["board"], f"{r['mhz']:g}", f"{r['fps']:.1f}", *(f"{100 * r[k]:.0f} %" for k in ("work", "waits", "driver", "host")),
            f"{r['clocks']:,}", over, f"{r['mb']:.0f}", f"{100 * r['busy']:.0f} %", str(r["ports"]), r["limit"]]


def markdown(results):
    """`results`: name -> list of what `measure` gave."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---|---|" + "--:|" * (len(COLUMNS) - 3) + "---|"]
    lines += ["| " + " | ".join(row(name, r)) + " |" for name in sorted(results) for r in results[name]]
    return HEAD + "\n".join(lines) + "\n"


def measure_overlap(program):
    """What test/platform/OverlapTest.cpp measures."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(program)], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with open(f"{folder}/overlap_figures.json", encoding="utf-8") as figures:
            return json.load(figures)


def with_overlap(text, figures):
    """The part of docs/figures.md with these figures at its end."""
    lines = []
    for key, name in (("async", "`async()`"), ("ring", "`async()`, `ring_buffer(2)`")):
        f = figures[key]
        slower = max(f["host"], f["accelerator"])
        lines.append(f"| {name} | {f['host'] * 1e3:.2f} | {f['accelerator'] * 1e3:.2f} | {f['total'] * 1e3:.2f} | {f['total'] / slower:.3f} |")
    return text.partition(OVERLAP_TITLE)[0].rstrip("\n") + "\n\n" + OVERLAP.format(**figures) + "\n".join(lines) + "\n"


def section(text, title=TITLE):
    """The part of docs/figures.md with that title, or nothing."""
    begin = text.find(title)
    if begin < 0:
        return ""
    end = text.find("\n## ", begin)
    return text[begin:] if end < 0 else text[begin:end]


def replaced(text, new):
    """docs/figures.md with `new` in place of the part of that title, or at its end."""
    old = section(text, new.partition("\n")[0])
    return text.replace(old, new) if old else text.rstrip("\n") + "\n\n" + new
