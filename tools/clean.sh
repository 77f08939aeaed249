#!/bin/sh
# clean.sh HOME COMMAND...: runs a command as a newcomer would: HOME is an empty folder, and the environment has no setting of
# npm, make or quire. What is needed to reach the registries stays: certificates and proxies, and npm's registry with what belongs to it,
# from the environment, or from the user's .npmrc, of which these lines are copied.
set -eu
home=$1
shift
reach='registry|@[^:=]*:registry|//[^=]*|cafile|ca|ca\[\]|cert|key|proxy|https-proxy|http-proxy|noproxy|strict-ssl'
rc=${NPM_CONFIG_USERCONFIG:-${npm_config_userconfig:-$HOME/.npmrc}}
if [ -r "$rc" ]; then
	(umask 077 && grep -E "^ *($reach) *=" "$rc" >"$home/.npmrc") || rm -f "$home/.npmrc"
fi
unset NPM_CONFIG_USERCONFIG npm_config_userconfig
for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p'); do
	case $name in
	[Nn][Pp][Mm]_[Cc][Oo][Nn][Ff][Ii][Gg]_*)
		what=$(printf '%s' "${name#?[Pp][Mm]_??????_}" | tr 'A-Z_' 'a-z-')
		printf '%s=\n' "$what" | grep -qE "^($reach)=" || unset "$name" ;;
	npm_* | QUIRE* | XDG_* | STATE_DIRECTORY | MAKEFLAGS | MFLAGS | MAKELEVEL | MAKEOVERRIDES | BASH_ENV | ENV | PERL5OPT | HARNESS_* | NODE_OPTIONS | PYTHONPATH | TMPDIR)
		unset "$name" ;;
	esac
done
export HOME="$home"
exec "$@"
