
# "hdfs trefoil": the words behind it are completed as those of trefoil, all others as they were before this script.
if type complete >/dev/null 2>&1; then
  _trefoil_other_hdfs=$(complete -p hdfs 2>/dev/null | sed -n 's/.* -F \([^ ]*\) .*/\1/p')
  if [[ "$_trefoil_other_hdfs" = _complete_hdfs_trefoil ]]; then
    # This script was read before.
    _trefoil_other_hdfs=
  fi

  function _complete_hdfs_trefoil() {
    if [[ "$COMP_CWORD" -gt 1 && "${COMP_WORDS[1]}" = trefoil ]]; then
      COMP_WORDS=("${COMP_WORDS[@]:1}")
      COMP_CWORD=$((COMP_CWORD - 1))
      _complete_trefoil
    elif [[ -n "$_trefoil_other_hdfs" ]]; then
      "$_trefoil_other_hdfs" "$@"
    elif [[ "$COMP_CWORD" -eq 1 ]]; then
      # shellcheck disable=SC2207
      COMPREPLY=($(compgen -W trefoil -- "${COMP_WORDS[1]}"))
    fi
  }

  complete -F _complete_hdfs_trefoil -o default hdfs
fi
