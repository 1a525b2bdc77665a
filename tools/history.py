"""How the areas of the kernels came to be: what tools/areas.json said after each commit that changed it. Git knows; nothing is written down twice."""
import json
import subprocess

import areas

COLUMNS = ("LUT", "FF")
HEAD = """
### History

What tools/areas.json said after each commit that changed it, LUT / FF at 1 pixel per clock; an empty cell: as in the line above.

"""


def git(*arguments):
    """The lines that git prints about this clone; none where there is no git, or no clone."""
    try:
        done = subprocess.run(["git", "-C", str(areas.ROOT), *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


def tables():
    """[(date, commit, areas.json then)], the oldest first."""
    name = areas.TABLE.relative_to(areas.ROOT).as_posix()
    commits = [line.split() for line in git("log", "--reverse", "--format=%as %h", "--", name)]
    return [(date, commit, json.loads("\n".join(git("show", f"{commit}:{name}")))) for date, commit in commits]


def changes(history, kernels):
    """A row for each entry in which one of the kernels changed: [date, commit, a cell for each kernel, "" where it did not]."""
    rows, last = [], {}
    for date, commit, table in history:
        cells = []
        for kernel in kernels:
            known = table.get(f"{kernel}@1")
            cell = " / ".join(f"{known[c]:,}" for c in COLUMNS) if known else ""
            cells.append("" if cell == last.get(kernel, "") else cell)
            last[kernel] = cell or last.get(kernel, "")
        if any(cells):
            rows.append([date, commit, *cells])
    return rows


def markdown():
    """The section of docs/figures.md; nothing without git's history."""
    rows = changes(tables(), list(areas.TO_REACH))
    if not rows:
        return ""
    lines = ["| " + " | ".join(["date", "commit", *areas.TO_REACH]) + " |", "|---|---|" + "--:|" * len(areas.TO_REACH)]
    return HEAD + "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"
