#!/bin/sh
# Installs the missing Debian packages: `deps.sh build` to build and run, `deps.sh test` for `make test` too. Quick if
# nothing is missing; needs root only if something is.
set -eu
build="gcc make pkg-config libc6-dev libexpat1-dev zlib1g-dev libcairo2-dev libpango1.0-dev libpng-dev
fonts-dejavu-core libsqlite3-dev libpq-dev libmicrohttpd-dev libsodium-dev libutf8proc-dev libpcre2-dev libxxhash-dev
libcurl4-openssl-dev libyaml-dev"
test="$build libcmocka-dev perl python3 clang libclang-rt-14-dev clang-format clang-tidy cppcheck nodejs npm curl
strace util-linux postgresql sqlite3 python3-requests python3-ezdxf gcovr epubcheck poppler-utils zsh fish
fonts-wqy-microhei"
bench="$test wrk hyperfine python3-lxml"
office="$build python3 perl libreoffice-writer-nogui python3-uno poppler-utils"
case ${1:-build} in office) want=$office ;; build) want=$build ;; test) want=$test ;; bench) want=$bench ;; *) echo "usage: deps.sh build|test|bench|office" >&2; exit 2 ;; esac
missing=
for p in $want; do
	# A tool that was installed in another way (such as a newer Node) need not come from a package.
	case $p in
	nodejs) command -v node >/dev/null && continue ;;
	npm | python3 | clang | gcc | make | curl | perl) command -v "$p" >/dev/null && continue ;;
	esac
	dpkg-query -W -f '${Status}\n' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
[ "$(id -u)" = 0 ] || { echo "missing packages; as root: apt-get install$missing" >&2; exit 1; }
echo "installing:$missing"
apt-get update -q
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
