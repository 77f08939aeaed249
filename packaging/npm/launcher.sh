#!/bin/sh
# Starts the program of this machine's processor. npm installs only that one of the platform packages.
case $0 in
*/.bin/*) home=${0%/.bin/*}/@NAME@ ;;
*) home=$(dirname "$(dirname "$(readlink -f "$0")")") ;;
esac
export QUIRE_NPM_PACKAGE=@NAME@
for program in "$home/../@BASE@-linux-x64/bin/quire" "$home/../@BASE@-linux-arm64/bin/quire" \
	"$home/node_modules/@NAME@-linux-x64/bin/quire" "$home/node_modules/@NAME@-linux-arm64/bin/quire"; do
	[ -x "$program" ] && exec "$program" "$@"
done
echo "quire: there is no program for this machine: quire runs on Linux with glibc 2.34 or newer, x86-64 or arm64" >&2
exit 1
