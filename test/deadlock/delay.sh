#!/bin/sh
# One read inside of the timeline finds its element a position too late: the certificate says which, and pixels differ.
. "$(dirname "$0")/common.sh"

case $finding in
*' reads '*': the delay is '*', the schedule needs '*) ;;
*) fail "the certificate is refused for another reason: $finding" ;;
esac
simulate sim:
[ $got = 0 ] || fail "exit $got without the mistake: $said"
simulate "sim:$model"
[ $got = 1 ] || fail "exit $got with the mistake, expected 1: $said"
case $said in
*' elements differ'*) ;;
*) fail "no element differs: $said" ;;
esac
