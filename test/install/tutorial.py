"""Does what docs/tutorial.md says, in the order in which it says it, in a home folder of its own.

    ```cpp edges.cpp     the block is written to that file
    ```sh                the block is run by bash (all blocks by one shell, which stops at the first failure)
    ```sh needs=TOOL     ... if there is such a command here; otherwise it is skipped, and said so (with CI set: a failure)
    ```text              each line must be in the output of the sh block before it; "..." stands for anything

usage: tutorial.py tutorial.md <source folder> <build folder> <cmake>"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def blocks(markdown):
    """(language, file name or "", text) of each fenced block."""
    return [(m[1], m[2].strip(), m[3]) for m in re.finditer(r"^```(\w+)([^\n]*)\n(.*?)^```$", markdown, re.M | re.S)]


def without_missing(parts):
    """The blocks, less those whose tool is not here and the promises about them."""
    kept, skipping = [], False
    for language, name, text in parts:
        if language == "sh":
            needs = name.removeprefix("needs=") if name.startswith("needs=") else None
            skipping = needs is not None and shutil.which(needs) is None
            if skipping:
                print(f"[SKIP] a block of the tutorial: {needs} is not installed; on Debian: apt-get install g++-arm-linux-gnueabihf qemu-user")
                assert not os.environ.get("CI"), f"CI needs {needs}"
        if not skipping or language not in ("sh", "text"):
            kept.append((language, "" if language == "sh" else name, text))
    return kept


def script(parts, source, build):
    """One bash script; what each block prints stands between markers."""
    lines = ["set -euo pipefail", f"cd '{source}'"]
    for i, (language, name, text) in enumerate(parts):
        lines.append(f"echo '@@ {i}'")
        if language == "sh":
            lines.append(text.replace("build/cmake", build) if build != f"{source}/build/cmake" else text)
        elif name:
            lines.append(f"cat > '{name}' <<'@@ END'\n{text}@@ END")
    return "\n".join(lines) + "\n"


def main():
    tutorial, source, build, cmake = sys.argv[1:]
    parts = without_missing(blocks(pathlib.Path(tutorial).read_text()))
    assert sum(p[0] == "sh" for p in parts) >= 5, "the tutorial has lost its commands"
    with tempfile.TemporaryDirectory() as home:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("CMAKE_", "Halide_", "ARGENT_"))}
        # No compiler cache of its own: it would be empty, and Argent's build must see the same settings as before.
        environment.setdefault("CCACHE_DIR", str(pathlib.Path.home() / ".cache" / "ccache"))
        environment["HOME"] = home
        environment["PATH"] = f"{pathlib.Path(cmake).parent}:{environment['PATH']}"
        done = subprocess.run(["bash", "-c", script(parts, source, build)], env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(done.stdout)
        if done.returncode != 0:
            print(f"the tutorial's commands end with {done.returncode}, after block {done.stdout.rsplit('@@ ', 1)[-1].split()[0]}")
            return 1
        said = {int(k): v for k, v in re.findall(r"^@@ (\d+)\n(.*?)(?=^@@ \d+$|\Z)", done.stdout, re.M | re.S)}
        failures = 0
        last = None
        for i, (language, name, text) in enumerate(parts):
            if language == "sh":
                last = i
            elif language == "text":
                for line in text.splitlines():
                    pattern = ".*".join(re.escape(p) for p in line.split("..."))
                    if not re.search(pattern, said[last]):
                        print(f"the tutorial promises this line, and it was not printed: {line}")
                        failures += 1
        return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
