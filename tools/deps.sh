#!/bin/sh
# deps.sh build|unit|test|bench|office|bare: installs the Debian packages that are missing to build and run, for `make
# unit`, `make test` and so on. Each list has the names of Debian 12 and 13. Quick if nothing is missing; needs root
# only if something is. What apt-get prints is shown only if it fails.
set -eu
build="gcc make pkg-config libc6-dev libexpat1-dev zlib1g-dev libcairo2-dev libpango1.0-dev libpng-dev
fonts-dejavu-core libsqlite3-dev libpq-dev libmicrohttpd-dev libsodium-dev libutf8proc-dev libpcre2-dev libxxhash-dev
libcurl4-openssl-dev libyaml-dev npm ca-certificates"
unit="$build libcmocka-dev perl"
test="$unit python3 clang libclang-rt-dev clang-format clang-tidy cppcheck curl git strace util-linux postgresql sqlite3
python3-requests python3-ezdxf gcovr epubcheck poppler-utils zsh fish fonts-wqy-microhei chromium"
bench="$test wrk hyperfine python3-lxml"
office="$build python3 perl libreoffice-writer-nogui python3-uno poppler-utils"
bare="git mmdebstrap"
case ${1:-build} in
build) want=$build ;;
unit) want=$unit ;;
test) want=$test ;;
bench) want=$bench ;;
office) want=$office ;;
bare) want=$bare ;;
*) echo "usage: deps.sh build|unit|test|bench|office|bare" >&2 && exit 2 ;;
esac
installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' 2>/dev/null | sed -n 's/^ii *//p')
missing=
for p in $want; do
	# A tool that was installed in another way (such as a newer Node) need not come from a package.
	case $p in
	npm | python3 | clang | gcc | git | make | curl | perl | mmdebstrap) command -v "$p" >/dev/null && continue ;;
	libclang-rt-dev) ls "$(clang -print-resource-dir 2>/dev/null)"/lib/*/libclang_rt.fuzzer* >/dev/null 2>&1 && continue ;;
	esac
	printf '%s\n' "$installed" | grep -qx "$p" || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
[ "$(id -u)" = 0 ] || { echo "missing packages; as root: apt-get install$missing" >&2; exit 1; }
echo "installing:$missing"
said=$(mktemp)
trap 'rm -f "$said" "$said.done"' EXIT
# Keeps what the command prints; a terminal sees the latest line of it.
quietly() {
	rm -f "$said.done"
	{ "$@" 2>&1 </dev/null && : >"$said.done"; } | while IFS= read -r line; do
		printf '%s\n' "$line" >>"$said"
		[ ! -t 2 ] || printf '\r\033[K%.70s' "$line" >&2
	done
	[ ! -t 2 ] || printf '\r\033[K' >&2
	[ -e "$said.done" ] || { cat "$said" >&2; exit 1; }
}
quietly apt-get update -q
# shellcheck disable=SC2086
quietly env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 $missing
