#!/bin/sh
# The FIFO between two timelines keeps room for one word less than may be in flight. When the second one has waited for long enough, a
# word is lost: at the end it waits for that for ever, and the watchdog names the channel that the certificate's checker has named; or one takes another's place.
. "$(dirname "$0")/common.sh"

channel=$(printf '%s' "$finding" | sed -n 's/.* (\(the channel of [A-Za-z0-9_]*\)): more may be in flight than it keeps free$/\1/p')
[ -n "$channel" ] || fail "the certificate is refused for another reason: $finding"
loses_at "$channel"
case $expected,$said in
1,* | 3,*"$channel: slow_result_core waits for an element, and slow_low_core has computed all of them"*) ;;
*) fail "the word that was lost is not told: $said" ;;
esac

# Where a port is what waits, the watchdog says so of both.
export ARGENT_SIM_FAULT=silent:m_axi_image:40
simulate sim:
case $got,$said in
3,*'m_axi_image: '*"$channel: slow_result_core waits for an element, and slow_low_core waits for an input itself"*) ;;
*) fail "exit $got with an input that falls silent: $said" ;;
esac
export ARGENT_SIM_FAULT=silent:m_axi_result:40
simulate sim:
case $got,$said in
3,*'m_axi_result: '*"$channel: slow_low_core waits until slow_result_core takes an element out of it"*) ;;
*) fail "exit $got with an output that falls silent: $said" ;;
esac
