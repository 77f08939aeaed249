# fish completion for quire: the program knows its own words.
function __quire_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l offers ($words[1] complete --described $words[2..-1] "$typed" 2>/dev/null)
    # Where quire has nothing to offer, files are meant.
    if test (count $offers) -gt 0
        printf '%s\n' $offers
    else
        __fish_complete_path "$typed"
    end
end
complete -c quire -f -a '(__quire_complete)'
