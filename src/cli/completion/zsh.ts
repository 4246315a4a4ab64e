import type { Flag, Spec, Value, Verb } from './spec.ts'

/** The script for zsh: the file `_agent-chat` in a directory of `fpath`, or what a file there evaluates. */
export function zshScript({ launcher, verbs }: Spec): string {
  return `#compdef agent-chat
# Completion of agent-chat for zsh. Made by: agent-chat completion zsh

_agent-chat_words() {
  local -a lines values shown
  local at=
  [[ -z $PREFIX || $PREFIX == @* ]] && [[ $1 == names || $1 == sessions ]] && at=@
  lines=(\${(f)"$(agent-chat completion --words $1 2>/dev/null)"})
  values=($at\${^lines%%$'\\t'*})
  shown=($at\${^lines//$'\\t'/  })
  (( $#lines )) && compadd -V $1 -l -d shown -a values
}
_agent-chat_names() { _agent-chat_words names }
_agent-chat_sessions() { _agent-chat_words sessions }
_agent-chat_ids() { _agent-chat_words ids }
_agent-chat_tasks() { _agent-chat_words tasks }

_agent-chat_first() {
  local -a verbs
  verbs=(
${verbs.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}\n`).join('')}  )
  [[ $PREFIX != @* ]] && _describe -t commands command verbs
  _agent-chat_sessions
}

_agent-chat() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C ${launcher.flags.map(flagText).join(' ')} '1: :_agent-chat_first' '*:: :->rest' && return
  [[ $state == rest ]] || return 1
  case $words[1] in
${verbs.map(verbText).join('')}    *) _arguments ${launcher.flags.map(flagText).join(' ')} ;;
  esac
}

if (( \${funcstack[(I)_agent-chat]} )); then
  _agent-chat "$@"
elif (( $+functions[compdef] )); then
  compdef _agent-chat agent-chat
fi
`
}

function verbText({ name, flags, args, rest }: Verb): string {
  const places = args.map(
    (value, at) => `'${rest !== undefined && at === args.length - 1 ? '*' : at + 1}: :${action(value)}'`,
  )
  return `    ${name}) _arguments ${[...flags.map(flagText), ...places].join(' ')} ;;\n`
}

/** One flag in the words of `_arguments`, each of its names shutting out the others. */
function flagText({ names, summary, value }: Flag): string {
  const all = names.length > 1 ? `(${names.join(' ')})` : ''
  const what = `[${summary.replaceAll(/[[\]\\:]/g, '\\$&')}]${value === undefined ? '' : `: :${action(value)}`}`
  // Some may be given again; those with a value are offered for it.
  return names
    .map((name) => (value === undefined ? `${all}${name}` : `*${name}${name.startsWith('--') ? '=' : ''}`))
    .map((name) => quoted(`${name}${what}`))
    .join(' ')
}

function action(value: Value): string {
  if (typeof value !== 'string') return `(${value.join(' ')})`
  if (value === 'files') return '_files'
  // A message in its place would keep a flag from being completed.
  return value === 'text' ? '()' : `_agent-chat_${value}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
