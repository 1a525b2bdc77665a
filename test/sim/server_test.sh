#!/bin/sh
# server_test.sh <argent-sim-server> <model> <client> <folder>: the server as a program, and what happens to its clients.
server=$1 model=$2 client=$3 dir=$4
rm -rf "$dir"
mkdir -p "$dir" && cd "$dir" || exit 1
failed=0
fail() {
    printf 'FAILED: %s\n' "$*"
    failed=1
}
# wait_for <file> <text>: until the text stands in the file.
wait_for() {
    n=0
    until grep -q "$2" "$1" 2>/dev/null; do
        n=$((n + 1))
        [ $n -lt 200 ] || { fail "no \"$2\" in $1:"; cat "$1"; return 1; }
        sleep 0.05
    done
}
# expect <exit code> <text> <command...>
expect() {
    code=$1 text=$2
    shift 2
    said=$("$@" 2>&1 </dev/null)
    got=$?
    case $said in
    *"$text"*) [ $got = "$code" ] || fail "$* ended with $got, not $code: $said" ;;
    *) fail "$* ended with $got and said: $said" ;;
    esac
}

# The command line.
expect 0 'simulated accelerators for programs in other processes' "$server" --help
expect 2 'no path for the socket' "$server"
expect 2 'no model' "$server" socket
expect 2 'cannot read the model nonesuch.so' "$server" socket nonesuch.so
expect 2 'unknown flag --nonesuch' "$server" --nonesuch socket "$model"
expect 2 '--memory wants a number of MiB, not -3' "$server" --memory=-3 socket "$model"
expect 2 'no command behind --' "$server" --run "$model" --
expect 1 'cannot listen at /nowhere/socket: No such file or directory' "$server" /nowhere/socket "$model"
expect 127 'cannot run nonesuch: No such file or directory' "$server" --run "$model" -- nonesuch
expect 5 '' "$server" --run "$model" -- sh -c 'exit 5'

# A server of its own: bits, clocks and copies are the client's to check.
expect 0 ' clocks' "$server" --run "$model" -- "$client" launch
cp "$model" model.so
expect 0 ' clocks' "$server" --run model.so -- "$client" launch
expect 1 'the simulated memory has 1 MiB' "$server" --memory=1 --run "$model" -- "$client" launch

# One that stays.
"$server" socket "$model" >server.log 2>&1 &
server_pid=$!
wait_for server.log 'listening at socket' || exit 1
ARGENT_DEVICE=sim+unix:socket
export ARGENT_DEVICE
expect 0 ' clocks' "$client" launch
expect 0 ' clocks' "$client" launch
expect 1 'another one listens at socket' "$server" socket "$model"

# Two processes at once: the second is told; when the first has gone, the accelerator is free.
mkfifo keep
"$client" hold <keep >hold.log &
hold_pid=$!
exec 3>keep
wait_for hold.log holds
expect 4 'accelerator "increment" is in use by another process; wait until that has closed it' "$client" launch
exec 3>&-
wait $hold_pid || fail 'the holder failed'
expect 0 ' clocks' "$client" launch

# Processes that are killed in mid-frame, with another launch waiting in the hardware, too: the next one can use the device.
for hang in hang hang2; do
    "$client" $hang >hang.log 2>&1 &
    hang_pid=$!
    wait_for hang.log hangs
    sleep 0.2
    kill -9 $hang_pid
    wait $hang_pid 2>/dev/null
    sleep 0.2
    expect 0 ' clocks' "$client" launch
done

# A server that is killed in mid-frame: the program is told (ARGENT_GONE is -12).
"$client" hang >hang.log 2>&1 &
hang_pid=$!
wait_for hang.log hangs
sleep 0.2
kill -9 $server_pid
wait $hang_pid
got=$?
[ $got = 12 ] || fail "a program whose server was killed ended with $got, not 12 (ARGENT_GONE)"
grep -q 'the simulator server has ended' hang.log || { fail 'it was not told why:'; cat hang.log; }
expect 4 'no simulator server listens there' "$client" launch

# What a killed server leaves is taken over; one that is told to end leaves nothing.
"$server" socket "$model" >heir.log 2>&1 &
server_pid=$!
wait_for heir.log 'listening at socket' || exit 1
expect 0 ' clocks' "$client" launch
kill $server_pid
wait $server_pid || fail 'the server did not end well'
[ ! -e socket ] || fail 'the server left its socket'
exit $failed
