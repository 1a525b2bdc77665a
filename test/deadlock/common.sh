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

# Without the mistake all is well; with it nothing moves at the end, and the watchdog names <channel>. Responses that take long stop a writer of
# memory, back-pressure stops a stream; the reads go on until the FIFO is full.
stops_at() {
    export ARGENT_SIM_WRITE_LATENCY=3000 ARGENT_SIM_STALLS=100 ARGENT_SIM_WATCHDOG=20000
    simulate sim:
    [ $got = 0 ] || fail "exit $got without the mistake: $said"
    simulate "sim:$model"
    [ $got = 3 ] || fail "exit $got with the mistake, expected 3: $said"
    case $said in
    *'nothing has moved for '*"
$1: "*) ;;
    *) fail "$1 is not named: $said" ;;
    esac
}

said=$("$check" "$right") || fail "the certificate is refused: $said"
finding=$("$check" "$mistaken")
[ $? = 1 ] || fail 'the certificate of the mistaken copy is accepted'
