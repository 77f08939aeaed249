#!/bin/sh
# Writes a contact sheet of plans to look at after a change to the drawing: look.sh LOOK OUT.png, from the top of the tree.
# Our own examples, and the shared plans where they are there (QUIRE_DATA, or ../shared/data).
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
