import type { Shell } from '../../setup/completion.ts'

/** For bash 3.2 and newer, without the bash-completion package. */
const BASH = `# Completion of agent-chat for bash. Made by: agent-chat completion bash

_agent_chat() {
  local line=\${COMP_LINE:0:COMP_POINT} typed cut prefix= offered word
  local -a words
  # bash cuts words at @, : and =, so they are taken from the line itself.
  IFS=$' \\t\\n' read -r -d '' -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  typed=\${words[\${#words[@]} - 1]}
  # Everything up to the last of those signs stays on the line, except an @.
  cut=\${typed%"\${typed##*[$COMP_WORDBREAKS]}"}
  cut=\${cut%@}
  offered=$(agent-chat completion --at "\${words[@]:1}" 2>/dev/null | cut -f 1)
  if [[ $offered == :files ]]; then
    [[ $typed == --*=* ]] && prefix=\${typed%%=*}=
    compopt -o filenames 2>/dev/null
    offered=$(compgen -f -- "\${typed#"$prefix"}")
    typed=$prefix
  fi
  COMPREPLY=()
  while IFS= read -r word; do
    word=\${word:+$prefix$word}
    [[ -n $word && $word == "$typed"* ]] && COMPREPLY+=("\${word#"$cut"}")
  done <<< "$offered"
}

complete -F _agent_chat agent-chat
`

/** For the file `_agent-chat` in a directory of `fpath`, or a file there that evaluates it. */
const ZSH = `#compdef agent-chat
# Completion of agent-chat for zsh. Made by: agent-chat completion zsh

_agent-chat() {
  local -a before=("\${(@Q)words[2,CURRENT-1]}") offered
  offered=(\${(f)"$(agent-chat completion --at "$before[@]" "\${(Q)PREFIX}" 2>/dev/null)"})
  if [[ $offered == :files ]]; then
    compset -P '--*='
    _files
  else
    offered=("\${(@)offered//:/\\\\:}")
    offered=("\${(@)offered/$'\\t'/:}")
    _describe -V agent-chat offered
  fi
}

if (( \${funcstack[(I)_agent-chat]} )); then
  _agent-chat "$@"
elif (( $+functions[compdef] )); then
  compdef _agent-chat agent-chat
fi
`

/** For a file in fish's directory of completions, or one there that sources it. */
const FISH = `# Completion of agent-chat for fish. Made by: agent-chat completion fish

function __agent_chat
    command -q agent-chat; or return
    set -l words (commandline -opc)
    set -e words[1]
    set -l typed (commandline -ct)
    set -l offered (agent-chat completion --at $words "$typed" 2>/dev/null)
    if test "$offered" = :files
        set -l prefix (string match -r -- '^--[^=]*=' "$typed")
        set offered (__fish_complete_path (string replace -- "$prefix" '' "$typed"))
        set offered "$prefix"$offered
    end
    string join \\n -- $offered
end

complete -c agent-chat -e
complete -c agent-chat -f -k -a '(__agent_chat)'
`

/**
 * What a shell runs at Tab. It asks `agent-chat completion --at` with the words up to the cursor,
 * and evaluates nothing of the answer.
 */
export const SCRIPTS: Record<Shell, string> = { bash: BASH, zsh: ZSH, fish: FISH }
