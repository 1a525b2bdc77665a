#!/bin/sh
# The FIFO behind the output is one word shorter than the head has credits. When the output has waited for long enough, a word is
# lost; at the end nothing moves any more, and the watchdog names the channel that the certificate's checker has named.
. "$(dirname "$0")/common.sh"

channel=$(printf '%s' "$finding" | sed -n 's/.* (\([a-z_]*_axis\{0,1\}_[A-Za-z0-9_]*\)) holds [0-9]* words and needs .*/\1/p')
[ -n "$channel" ] || fail "the certificate is refused for another reason: $finding"
# Responses that take long stop a writer of memory, back-pressure stops a stream; the reads go on until the FIFO is full.
export ARGENT_SIM_WRITE_LATENCY=3000 ARGENT_SIM_STALLS=100 ARGENT_SIM_WATCHDOG=20000
simulate sim:
[ $got = 0 ] || fail "exit $got without the mistake: $said"
simulate "sim:$model"
[ $got = 3 ] || fail "exit $got with the mistake, expected 3: $said"
case $said in
*'nothing has moved for '*"
$channel: "*) ;;
*) fail "$channel is not named: $said" ;;
esac
