# Sets up what ./demo, ./check and ./bench share. To be sourced by bash; the caller has set `root` to the project's folder.
#
#   setup_packages     Debian packages of tools/packages.txt (apt, when it may; otherwise says the line to run)
#   setup_python       build/venv with tools/requirements.txt
#   setup_configure    build/cmake
#   setup_build TARGET... builds these targets (none: all)
#   setup              the first three
#
# Each step looks first whether anything is to be done, so a second run takes a second. Each can be interrupted at any moment: what
# is half done carries a mark and is done again by the next run.

build="$root/build"
venv="$build/venv"
cmake_build="$build/cmake"

say() { printf '\033[1m==>\033[0m %s\n' "$*"; }
[ -t 1 ] || say() { printf '==> %s\n' "$*"; }
die() {
    printf '\n%s\n' "$*" >&2
    exit 1
}
trap 'printf "\ninterrupted; nothing is broken: run the same command again and it goes on from here\n" >&2; exit 130' INT TERM

# One set-up at a time. The lock goes with the process, however it ends.
setup_lock() {
    mkdir -p "$build"
    exec 9>"$build/.lock"
    if ! flock -n 9; then
        say "another ./demo, ./check or ./bench is setting up; waiting for it"
        flock 9
    fi
}
setup_unlock() { exec 9>&-; }

setup_packages() {
    local wanted missing=() package
    wanted=$(grep -v '^#' "$root/tools/packages.txt")
    if ! command -v dpkg-query >/dev/null; then
        command -v g++ >/dev/null && command -v verilator >/dev/null && return 0
        die "This is no Debian. Please install what these Debian packages hold, then run this again:"$'\n'"  "$wanted
    fi
    for package in $wanted; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        if sudo -n true 2>/dev/null; then
            as_root=(sudo -n)
        else
            die "These Debian packages are missing, and installing them needs root. Please run this line, then this command again:

  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}"
        fi
    fi
    say "installing Debian packages: ${missing[*]}"
    "${as_root[@]}" apt-get -q update 9>&- || say "apt-get update failed; trying with the lists that are here"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${missing[@]}" 9>&- </dev/null ||
        die "apt-get could not install: ${missing[*]}"
}

setup_python() {
    local python=${PYTHON:-python3} marker="$venv/.argent-requirements" partial="$build/.venv-partial" wanted
    if [ -n "${PYTHON:-}" ] || [ ! -x "$venv/bin/python" ]; then
        command -v "$python" >/dev/null || die "There is no $python here. Python 3.11 or later is needed (PYTHON=... names another one)."
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
            die "$python is $("$python" -V 2>&1); Python 3.11 or later is needed (PYTHON=... names another one)."
    fi
    wanted="$venv $(sha256sum <"$root/tools/requirements.txt")"
    if [ "$(cat "$marker" 2>/dev/null)" = "$wanted" ] && [ ! -e "$partial" ] && [ -x "$venv/bin/cmake" ]; then
        return 0
    fi
    # What an interrupted run left, or another place (its scripts name it), or has lost its interpreter, is made anew.
    if [ -e "$partial" ] || ! "$venv/bin/python" -c 'import pip' 2>/dev/null ||
        { [ -f "$marker" ] && [[ $(cat "$marker") != "$venv "* ]]; }; then
        rm -rf "$venv"
    fi
    : >"$partial"
    if [ ! -x "$venv/bin/python" ]; then
        say "making the Python environment build/venv"
        "$python" -m venv "$venv" 9>&- ||
            die "$python cannot make a virtual environment. On Debian: apt-get install python3-venv"
    fi
    say "installing Python packages into build/venv: $(grep -c == "$root/tools/requirements.txt") of them, some 400 MB"
    "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --prefer-binary \
        -r "$root/tools/requirements.txt" 9>&- </dev/null |
        grep --line-buffered -E '^(Collecting|Installing|Successfully|ERROR)' | sed -u 's/^/    /' | cut -c1-110
    [ "${PIPESTATUS[0]}" = 0 ] ||
        die "pip could not install tools/requirements.txt (its own words are above). Is there a network? Run this again when there is."
    printf '%s\n' "$wanted" >"$marker"
    rm -f "$partial"
}

setup_configure() {
    local options=(
        -G Ninja
        "-DCMAKE_MAKE_PROGRAM=$venv/bin/ninja"
        -DCMAKE_BUILD_TYPE=Release
        # Assertions stay on.
        -DCMAKE_CXX_FLAGS_RELEASE=-O2
        -DCMAKE_C_FLAGS_RELEASE=-O2
        "-DArgent_PYTHON=$venv/bin/python"
    )
    local stamp="$cmake_build/.argent-configured" words
    words=$(printf '%s\n' "$root" "$("$venv/bin/cmake" --version | head -n 1)" "${options[@]}")
    if [ -f "$cmake_build/build.ninja" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$words" ]; then
        return 0  # Ninja itself runs CMake again when one of CMake's files changes.
    fi
    # A tree that has moved cannot use its cache.
    if [ -f "$cmake_build/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cmake_build/CMakeCache.txt"; then
        rm -rf "$cmake_build"
    fi
    say "configuring build/cmake"
    mkdir -p "$cmake_build"
    "$venv/bin/cmake" -S "$root" -B "$cmake_build" "${options[@]}" 9>&- || die "CMake could not configure build/cmake (its words are above)"
    printf '%s\n' "$words" >"$stamp"
}

# ninja shows its own progress: one line that moves in a terminal, a line each elsewhere.
setup_build() {
    say "building${*:+ $*}"
    "$venv/bin/ninja" -C "$cmake_build" "$@" || die "the build failed (the first error is above)"
}

setup() {
    setup_lock
    setup_packages
    setup_python
    setup_configure
    setup_unlock
}
