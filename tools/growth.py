"""How the compiler's time grows with the pipeline: CPU seconds of test/growth's generator, from its start to the Verilog.

  growth.py GENERATOR     checks that no shape grows much faster than n log n, and that 200 stages stay below 5 seconds

CPU seconds, the least of several runs, and less those of a pipeline of one stage: other programs on the machine change little of that.
Used by bench.py for docs/figures.md and by ctest.
"""
import math
import os
import subprocess
import sys
import tempfile

SIZES = (10, 30, 100, 300)
ROWS = {"chain": "a chain of stencils", "fan": "stencils beside each other", "inlined": "points, inlined into each other",
        "skips": "stencils that also read the image and the last but one"}
SIDES = (4, 16, 64, 128)
LIMIT = 2.2   # times n log n; a pass in n^2 is beyond it
CHECKED = {"chain": (200, 1600), "fan": (200, 1600), "inlined": (300, 1200), "window": (48, 128)}


def seconds(generator, shape, size):
    """CPU seconds of one run."""
    with tempfile.TemporaryDirectory() as folder:
        command = [generator, "-n", "growth", "-g", "growth", "-f", "growth", "-e", "verilog,manifest", "-o", folder, "target=host",
                   f"shape={shape}", f"size={size}"]
        with open(os.path.join(folder, "words"), "w+") as words:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=words, stderr=subprocess.STDOUT)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                words.seek(0)
                raise RuntimeError(f"{' '.join(map(str, command))}\nended with {child.returncode}:\n{words.read()}")
    return used.ru_utime + used.ru_stime


def least(generator, shape, size, runs=3):
    return min(seconds(generator, shape, size) for _ in range(runs))


def measure(generator):
    """{shape: {size: CPU seconds}}, the start of the generator among them."""
    times = {shape: {n: least(generator, shape, n) for n in SIZES} for shape in ROWS}
    times["window"] = {n: least(generator, "window", n) for n in SIDES}
    return times


def markdown(times):
    """The section of docs/figures.md."""

    def line(cells):
        return "| " + " | ".join(cells) + " |"

    def rows(names, sizes, unit):
        return [line([unit] + [str(n) for n in sizes]), "|---|" + "--:|" * len(sizes)] + \
               [line([words] + [f"{times[shape][n]:.2f}" for n in sizes]) for shape, words in names.items()]

    return "\n".join(rows(ROWS, SIZES, "stages") + [""] + rows({"window": "one window, summed"}, SIDES, "side of the window"))


def grows(generator, shape, small, large):
    """Whether a shape grows too fast, which is printed."""
    # By turns, so that what else the machine does slows down both or neither: their difference is short.
    turns = [(seconds(generator, "chain", 1), seconds(generator, shape, small)) for _ in range(4)]
    start, few = map(min, zip(*turns))
    many = least(generator, shape, large, 2)
    parts = [n * n if shape == "window" else n for n in (small, large)]   # a window has taps
    fair = parts[1] * math.log(parts[1]) / (parts[0] * math.log(parts[0]))
    # Below 50 ms the clock's own grain would decide.
    times = (many - start) / max(few - start, 0.05)
    print(f"{shape}: {few:.2f} s at {small}, {many:.2f} s at {large}: {times:.1f} times as long, n log n is {fair:.1f}")
    return times > LIMIT * fair or (shape != "window" and few >= 5)


def check(generator):
    """Whether no shape grows too fast. Other programs on the machine make one seem to now and then, but not each time."""
    return all(any(not grows(generator, shape, *sizes) for _ in range(3)) for shape, sizes in CHECKED.items())


if __name__ == "__main__":
    sys.exit(0 if check(sys.argv[1]) else 1)
