#!/bin/sh
# make bare: tries what README promises on bare machines: a chroot of each Debian release with git, make and a clone of the last commit,
# nothing else. There `make run` must serve (as root, below root's own home), and `make test` must pass, as root and as an ordinary user.
# RELEASES, USERS and TARGET (default: test) choose less. Certificates come from SSL_CERT_FILE, the resolver from RESOLV_CONF, packages
# from MIRROR (default: Debian's); without them from where Debian has them.
set -eu
top=$(dirname "$(dirname "$(realpath "$0")")")
work=$(mktemp -d "${TMPDIR:-/var/tmp}/quire-bare.XXXXXX")
certificates=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
inside=/etc/certificates.pem # a place of its own: the package ca-certificates writes Debian's
[ "$(id -u)" = 0 ] || { echo "make bare needs root, for chroot and mount" >&2; exit 1; }

# The command line's last argument runs in the chroot of $root, with mounts of its own, which end with it.
enter() { # WHO COMMAND
	# shellcheck disable=SC2016
	unshare --mount --pid --fork --kill-child sh -ec '
		root=$1 who=$2
		mount --make-rprivate /
		mount -t proc proc "$root/proc"
		mount -t sysfs -o ro sysfs "$root/sys"
		mount --rbind /dev "$root/dev"
		mount -t tmpfs tmpfs "$root/dev/shm"
		mount -t tmpfs -o mode=1777 tmpfs "$root/run"
		exec chroot --userspec="$who:$who" "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			HOME="$(chroot "$root" getent passwd "$who" | cut -d: -f6)" LANG=C.UTF-8 $3 sh -ec "cd; $4"
	' sh "$root" "$1" "$settings" "$2"
}

# Waits for the address that make run prints, and asks there.
try_run() {
	enter root 'cd quire; exec make run' >"$work/run.log" 2>&1 &
	running=$!
	while kill -0 "$running" 2>/dev/null && ! grep -q '"url"' "$work/run.log"; do sleep 1; done
	url=$(sed -n 's/^quire serves .* at \(http:[^ ]*mcp\).*/\1/p' "$work/run.log")
	key=$(sed -n 's/.*Bearer \([^"'\'']*\).*/\1/p' "$work/run.log" | head -n 1)
	body='{"method": "file_list", "params": {}}'
	said=$(python3 -c 'import sys, urllib.request as u
print(u.urlopen(u.Request(sys.argv[1], sys.argv[3].encode(), {"Content-Type": "application/json", "Authorization": "Bearer " + sys.argv[2]})).read())' \
		"$url" "$key" "$body" 2>&1) || true
	kill "$running" 2>/dev/null || true
	wait "$running" 2>/dev/null || true
	case $said in *lighthouse.hnpx*) echo "$release: make run serves at $url" ;; *) cat "$work/run.log"; echo "$release: make run does not serve: $said"; exit 1 ;; esac
}

settings="SSL_CERT_FILE=$inside NODE_EXTRA_CA_CERTS=$inside GIT_SSL_CAINFO=$inside CURL_CA_BUNDLE=$inside"
for name in http_proxy https_proxy no_proxy; do
	value=$(printenv "$name" || true)
	[ -z "$value" ] || settings="$settings $name=$value"
done
trap 'rm -rf "$work"' EXIT
failed=0
for release in ${RELEASES:-bookworm trixie}; do
	root=$work/$release
	mmdebstrap --quiet --variant=minbase --include=git,make "$release" "$root" ${MIRROR:+"$MIRROR"}
	cp "$certificates" "$root$inside"
	cp "${RESOLV_CONF:-/etc/resolv.conf}" "$root/etc/resolv.conf"
	cp /etc/hosts "$root/etc/hosts"
	chroot "$root" useradd -m -s /bin/sh newcomer
	chmod 700 "$root/root"
	mkdir "$work/home.$release"
	sh "$top/tools/clean.sh" "$work/home.$release" true
	for who in root newcomer; do
		home=$root$(chroot "$root" getent passwd "$who" | cut -d: -f6)
		git clone -q "$top" "$home/quire"
		[ ! -e "$work/home.$release/.npmrc" ] || cp "$work/home.$release/.npmrc" "$home"
		chroot "$root" chown -R "$who:$who" "${home#"$root"}"
	done
	try_run
	for who in ${USERS:-root newcomer}; do
		[ -n "${TARGET-test}" ] || continue
		enter root "cd quire; for l in build unit test; do sh tools/deps.sh \$l; done" >"$work/deps.log" 2>&1 || { cat "$work/deps.log"; exit 1; }
		if enter "$who" "cd quire; make ${TARGET:-test}"; then echo "$release: make ${TARGET:-test} passes as $who"; else
			failed=1
			echo "$release: make ${TARGET:-test} fails as $who"
		fi
	done
	rm -rf "$root"
done
exit $failed
