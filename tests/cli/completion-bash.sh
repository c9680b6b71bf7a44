# The script is sourced and asked as bash would ask it.
source <(reprise completion bash)
complete -p reprise
ask() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _reprise
    echo "$*: ${COMPREPLY[*]}"
}
ask reprise in
ask reprise cat --tr
ask reprise cat --format-out ''
ask reprise cat --track pedes
ask reprise info --limit dec
ask reprise info --layout z4
ask reprise schema rum
ask reprise completion f
ask reprise info data/bad/zip_cu
ask reprise cat --from ''
ask reprise ''
