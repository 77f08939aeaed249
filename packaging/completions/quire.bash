# bash completion for quire: the program knows its own words.
_quire() {
	local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
	mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
	# Where quire has nothing to offer, files are meant.
	[ ${#COMPREPLY[@]} -eq 0 ] && compopt -o default
}
complete -F _quire quire
