#!/bin/sh
# Writes a contact sheet of plans, to check after a change to the drawing: look.sh LOOK OUT.png, from the top of the
# tree. It contains our own examples, and the shared plans if they exist (QUIRE_DATA, or ../shared/data).
set -eu
look=$1
out=$2
data=${QUIRE_DATA:-../shared/data}
set --
for plan in examples/*.floorplan examples/*/*.floorplan "$data"/floorplan/plans/*.floorplan; do
	[ -f "$plan" ] && set -- "$@" "$plan"
done
[ $# -gt 0 ] || { echo "look.sh: no plans" >&2; exit 1; }
"$look" "$out" 6 640 560 -all "$@"
