# What both mistakes have in common: <run> <model> <check_certificate> <report.json> <mistaken report.json> [<extents>]
run=$1 model=$2 check=$3 right=$4 mistaken=$5 extents=${6:-320,24}

fail() {
    printf 'FAILED: %s\n' "$1"
    exit 1
}

# On <device>: sets `got` and `said`.
simulate() {
    said=$("$run" --compare "--output_extents=[$extents]" --device="$1" 2>&1)
    got=$?
}

# The FIFOs of the cores beside a report, one a line.
fifos() {
    awk '/ag_fifo #\(/ { text = ""; is_fifo = 1 } is_fifo { text = text $0 } is_fifo && / fifo_/ { print text; is_fifo = 0 }' "$(dirname "$1")"/rtl/*_core.v
}

# Whether the word that is one too many takes another's place in one of these FIFOs: one behind a pipeline (SPARE of ag_fifo) does not look whether it is
# full. Where its memory, in rows of 16 words, is a power of two the count goes around instead, as if it were empty.
overwrites() {
    for depth in $(printf '%s\n' "$1" | sed -n '/\.SPARE(/s/.*\.DEPTH(\([0-9]*\)).*/\1/p'); do
        words=$(((depth + 15) / 16 * 16))
        [ $((words & (words - 1))) = 0 ] || return 0
    done
    return 1
}

# All is well without the mistake. With it a word has no place: responses that take long stop a writer of memory, back-pressure stops a stream, and the reads go
# on until the FIFO of <channel> is full. Where words are lost nothing moves at the end, and the watchdog names <channel>; else pixels are wrong.
loses_at() {
    export ARGENT_SIM_WRITE_LATENCY=3000 ARGENT_SIM_STALLS=100 ARGENT_SIM_WATCHDOG=20000
    simulate sim:
    [ $got = 0 ] || fail "exit $got without the mistake: $said"
    simulate "sim:$model"
    short=$(fifos "$mistaken" | grep -vxF "$(fifos "$right")")
    [ -n "$short" ] || fail 'no FIFO is another one'
    expected=3 sign="
$1: "
    if overwrites "$short"; then expected=1 sign=' elements differ'; fi
    [ $got = $expected ] || fail "exit $got with the mistake, expected $expected: $said"
    case $said in
    *"$sign"*) ;;
    *) fail "not told:$sign: $said" ;;
    esac
}

said=$("$check" "$right") || fail "the certificate is refused: $said"
finding=$("$check" "$mistaken")
[ $? = 1 ] || fail 'the certificate of the mistaken copy is accepted'
