#!/bin/sh
# The FIFO behind the output keeps room for one word less than may be in flight. When the output has waited for long enough, a word is
# lost: at the end nothing moves any more, and the watchdog names the channel that the certificate's checker has named; or one takes another's place.
. "$(dirname "$0")/common.sh"

channel=$(printf '%s' "$finding" | sed -n 's/.* (\([a-z_]*_axis\{0,1\}_[A-Za-z0-9_]*\)): more may be in flight than it keeps free$/\1/p')
[ -n "$channel" ] || fail "the certificate is refused for another reason: $finding"
loses_at "$channel"
