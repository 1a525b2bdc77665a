#!/bin/sh
# The FIFO between two timelines is one word shorter than the first one has credits. When the second one has waited for long enough, a
# word is lost; at the end it waits for that for ever.
. "$(dirname "$0")/common.sh"

case $finding in
*' (the channel of low) holds '*' words and needs '*) ;;
*) fail "the certificate is refused for another reason: $finding" ;;
esac
export ARGENT_SIM_WRITE_LATENCY=3000 ARGENT_SIM_STALLS=100 ARGENT_SIM_WATCHDOG=20000
simulate sim:
[ $got = 0 ] || fail "exit $got without the mistake: $said"
simulate "sim:$model"
[ $got = 3 ] || fail "exit $got with the mistake, expected 3: $said"
case $said in
*'nothing has moved for '*"
m_axi_result: "*) ;;
*) fail "m_axi_result is not named: $said" ;;
esac
