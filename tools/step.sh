#!/bin/sh
# step.sh N TOTAL NAME COMMAND...: runs one step of the build, and shows how far the build is: "[123/454] NAME" in one
# line that the next step overwrites; without a terminal, in a line for every tenth of the way. What the command prints
# gets lines of its own.
n=$1 total=$2 name=$3
shift 3
[ "$total" -ge "$n" ] || total=$n
if [ -t 2 ]; then
	printf '\r\033[K[%s/%s] %.60s' "$n" "$total" "$name" >&2
elif [ "$n" = 1 ] || [ $((n * 10 / total)) -gt $(((n - 1) * 10 / total)) ]; then
	echo "[$n/$total] $name"
fi
said=$("$@" 2>&1)
status=$?
if [ -t 2 ] && { [ -n "$said" ] || [ "$n" = "$total" ]; }; then printf '\r\033[K' >&2; fi
[ -z "$said" ] || printf '%s\n' "$said" >&2
exit $status
