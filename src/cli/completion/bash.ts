import type { Flag, Spec, Value, Verb } from './spec.ts'

/** The script for bash, 3.2 and newer. It needs nothing of the bash-completion package. */
export function bashScript({ launcher, verbs }: Spec): string {
  return `# Completion of agent-chat for bash. Made by: agent-chat completion bash

# What may follow: sets kind, for the value of a flag, an argument by its number from 0, or with "flags" the flags.
_agent_chat_kind() {
  kind=
  case $1:$2 in
${[{ ...launcher, name: '' }, ...verbs].map(cases).join('')}  esac
}

# The words of a kind, one a line.
_agent_chat_words() {
  case $1 in
    @files | @text | '') ;;
    @*) agent-chat completion --words "\${1#@}" 2>/dev/null | cut -f 1 ;;
    *) printf '%s\\n' $1 ;;
  esac
}

_agent_chat() {
  local line=\${COMP_LINE:0:COMP_POINT} word kind value= verb= first= count=0 flags=yes prefix= cut= at i
  local -a words
  # bash cuts words at @, : and =, so they are taken from the line itself.
  IFS=$' \\t\\n' read -r -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  local typed=\${words[\${#words[@]} - 1]}
  for ((i = 1; i < \${#words[@]} - 1; i++)); do
    word=\${words[i]}
    if [[ -n $value ]]; then
      value=
    elif [[ $word == -- ]]; then
      flags=
    elif [[ -n $flags && $word == -* ]]; then
      _agent_chat_kind "$verb" "$word"
      [[ $word != *=* ]] && value=$kind
    elif [[ -z $first ]]; then
      first=$word
      # Any other word is the name of a session that is to be started.
      case $word in ${verbs.map(({ name }) => name).join(' | ')}) verb=$word ;; esac
    else
      count=$((count + 1))
    fi
  done
  if [[ -n $value ]]; then
    kind=$value
  elif [[ -n $flags && $typed == --*=* ]]; then
    _agent_chat_kind "$verb" "\${typed%%=*}"
    prefix=\${typed%%=*}=
  elif [[ -n $flags && $typed == -* ]]; then
    _agent_chat_kind "$verb" flags
  elif [[ -z $first ]]; then
    kind='${verbs.map(({ name }) => name).join(' ')}'
    [[ $typed != @* ]] && kind="$kind $(_agent_chat_words @sessions)"
    [[ $typed == @* ]] && kind=@sessions
  else
    _agent_chat_kind "$verb" "$count"
    [[ -z $kind ]] && _agent_chat_kind "$verb" rest
  fi
  # What stands up to the last of those signs stays on the line; a word keeps the @ that it begins with.
  for ((i = 0; i < \${#typed}; i++)); do
    at=\${typed:i:1}
    if [[ $at == [@$] ]]; then
      cut=\${typed:0:i}
    elif [[ $COMP_WORDBREAKS == *"$at"* ]]; then
      cut=\${typed:0:i + 1}
    fi
  done
  typed=\${typed#"$prefix"}
  COMPREPLY=()
  if [[ $kind == @files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do
      word=$prefix$word
      COMPREPLY+=("\${word#"$cut"}")
    done < <(compgen -f -- "$typed")
    return
  fi
  while IFS= read -r word; do
    if [[ $kind == @names || $kind == @sessions ]] && [[ $typed == @* || -z $typed ]]; then word=@$word; fi
    [[ $word != @ && -n $word && $word == "$typed"* ]] || continue
    word=$prefix$word
    COMPREPLY+=("\${word#"$cut"}")
  done < <(_agent_chat_words "$kind")
}

complete -F _agent_chat agent-chat
`
}

function cases({ name, flags, args, rest }: Verb): string {
  const taking = flags.filter((flag): flag is Flag & { value: Value } => flag.value !== undefined)
  const rows: [string[], Value][] = [
    ...taking.map(({ names, value }): [string[], Value] => [names, value]),
    ...args.map((value, at): [string[], Value] => [[String(at)], value]),
    ...(rest === undefined ? [] : [[['rest'], rest] as [string[], Value]]),
    [['flags'], flags.flatMap(({ names }) => names)],
  ]
  return rows
    .map(
      ([words, value]) => `    ${words.map((word) => `${name}:${word}`).join(' | ')}) kind='${kindText(value)}' ;;\n`,
    )
    .join('')
}

function kindText(value: Value): string {
  return typeof value === 'string' ? `@${value}` : value.join(' ')
}
