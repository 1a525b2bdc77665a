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

said=$("$check" "$right") || fail "the certificate is refused: $said"
finding=$("$check" "$mistaken")
[ $? = 1 ] || fail 'the certificate of the mistaken copy is accepted'
