"""Every relative link of the Markdown files leads to a file of this tree, and its anchor to a heading there; and every `docs/<page>.md` that a
source names is there.

usage: links.py <source folder>"""
import pathlib
import re
import subprocess
import sys


def without_code(markdown):
    """Fenced blocks and `words` hold no links."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", markdown, flags=re.M | re.S))


def anchors(markdown):
    """GitHub's, of each heading."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", markdown, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def dead_links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        if not other.exists():
            yield f"{target}: there is no {other}"
        elif anchor and anchor not in anchors(other.read_text()):
            yield f"{target}: no heading of {other} has this anchor"


def files(root):
    """Of the tree: what git knows, or all but the build folder where there is no git."""
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
    return [root / line for line in listed.stdout.splitlines()] or [p for p in root.rglob("*") if p.is_file() and root / "build" not in p.parents]


def main():
    root = pathlib.Path(sys.argv[1])
    dead, pages = [], 0
    for file in files(root):
        if file.suffix == ".md":
            pages += 1
            dead += [f"{file.relative_to(root)}: {text}" for text in dead_links(file)]
        elif file.suffix in (".h", ".c", ".cpp", ".py", ".v", ".cmake", ".toml", ".txt"):
            named = set(re.findall(r"\bdocs/\w+\.md\b", file.read_text()))
            dead += [f"{file.relative_to(root)}: there is no {page}" for page in named if not (root / page).exists()]
    assert pages > 20, "the pages are not found"
    print("\n".join(dead) or f"{pages} pages, no dead link")
    sys.exit(bool(dead))


if __name__ == "__main__":
    main()
