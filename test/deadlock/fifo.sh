#!/bin/sh
# The FIFO behind the output is one word shorter than the head has credits. When the output has waited for long enough, a word is
# lost; at the end nothing moves any more, and the watchdog names the channel that the certificate's checker has named.
. "$(dirname "$0")/common.sh"

channel=$(printf '%s' "$finding" | sed -n 's/.* (\([a-z_]*_axis\{0,1\}_[A-Za-z0-9_]*\)) holds [0-9]* words and needs .*/\1/p')
[ -n "$channel" ] || fail "the certificate is refused for another reason: $finding"
stops_at "$channel"
