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

# With what fills FIFOs: all is well without the mistake. Sets `got` and `said` with it. Responses that take long stop a writer of memory, back-pressure stops a
# stream; the reads go on until the FIFO is full.
fill() {
    export ARGENT_SIM_WRITE_LATENCY=3000 ARGENT_SIM_STALLS=100 ARGENT_SIM_WATCHDOG=20000
    simulate sim:
    [ $got = 0 ] || fail "exit $got without the mistake: $said"
    simulate "sim:$model"
}

# Nothing moves at the end, and the watchdog names <channel>.
stops_at() {
    [ $got = 3 ] || fail "exit $got with the mistake, expected 3: $said"
    case $said in
    *'nothing has moved for '*"
$1: "*) ;;
    *) fail "$1 is not named: $said" ;;
    esac
}

# A FIFO that tells a clock ahead whether it has room (AHEAD of ag_fifo) does not look whether it is full: the word that is one too many stands where the oldest
# stood, so pixels are wrong. Any other one loses words.
loses_at() {
    fill
    case $got,$said in
    1,*' the hardware has '*' the CPU '*) ;;
    *) stops_at "$1" ;;
    esac
}

said=$("$check" "$right") || fail "the certificate is refused: $said"
finding=$("$check" "$mistaken")
[ $? = 1 ] || fail 'the certificate of the mistaken copy is accepted'
