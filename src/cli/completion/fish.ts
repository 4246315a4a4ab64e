import type { Flag, Spec, Value, Verb } from './spec.ts'

/** The script for fish: a file in its directory of completions, or what a file there sources. */
export function fishScript({ launcher, verbs }: Spec): string {
  return `# Completion of agent-chat for fish. Made by: agent-chat completion fish

# Whether this command, "" for none yet and "-" for a session's name, stands before the cursor, and with a number, so many arguments of it.
function __agent_chat_at -a verb number
    set -l words (commandline -opc)
    set -e words[1]
    set -l found
    set -l count 0
    set -l skip
    set -l flags yes
    for word in $words
        if test -n "$skip"
            set skip
        else if test "$word" = --
            set flags
        else if test -n "$flags"; and string match -q -- '-*' $word
            contains -- $word (__agent_chat_taking "$found"); and set skip yes
        else if not set -q found[1]
            set found -
            contains -- $word ${verbs.map(({ name }) => name).join(' ')}; and set found $word
        else
            set count (math $count + 1)
        end
    end
    test "$found" = "$verb"; or return 1
    test -z "$number"; or test "$number" = $count; or test "$number" = "$(math $count)+"; and return
    string match -q -- '*+' "$number"; and test $count -ge (string trim -r -c + -- $number)
end

# The flags of a command that take a value.
function __agent_chat_taking -a verb
    switch "$verb"
${[{ ...launcher, name: '' }, { ...launcher, name: '-' }, ...verbs].map(takingText).join('')}    end
end

# Words that are only known now, with @ before names unless something else was typed.
function __agent_chat_words -a kind
    command -q agent-chat; or return
    set -l at ''
    if contains -- $kind names sessions; and string match -qr -- '^(@|$|--[a-z-]+=(@|$))' (commandline -ct)
        set at @
    end
    for line in (agent-chat completion --words $kind 2>/dev/null)
        echo $at$line
    end
end

complete -c agent-chat -e
complete -c agent-chat -f
complete -c agent-chat -n '__agent_chat_at ""' -k -a '(__agent_chat_words sessions)'
${verbs.map(({ name, summary }) => `complete -c agent-chat -n '__agent_chat_at ""' -a ${name} -d ${quoted(summary)}\n`).join('')}${[{ ...launcher, name: '' }, { ...launcher, name: '-' }, ...verbs].map(verbText).join('')}`
}

function takingText({ name, flags }: Verb): string {
  const taking = flags.filter(({ value }) => value !== undefined).flatMap(({ names }) => names)
  return taking.length === 0
    ? ''
    : `        case ${quoted(name)}\n            string split ' ' -- ${quoted(taking.join(' '))}\n`
}

function verbText({ name, flags, args, rest }: Verb): string {
  const places = args.map((value, at) => {
    const number = rest !== undefined && at === args.length - 1 ? `${at}+` : String(at)
    return place(name, number, value)
  })
  return [...flags.map((flag) => flagText(name, flag)), ...places].join('')
}

function flagText(verb: string, { names, summary, value }: Flag): string {
  const words = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ')
  const takes = value === undefined ? '' : ` ${valueText(value)}`
  return `complete -c agent-chat -n ${condition(verb)} ${words}${takes} -d ${quoted(summary)}\n`
}

function place(verb: string, number: string, value: Value): string {
  if (value === 'text') return ''
  return `complete -c agent-chat -n ${condition(verb, number)} ${value === 'files' ? '-F' : `-k -a ${wordsText(value)}`}\n`
}

function valueText(value: Value): string {
  if (value === 'files') return '-r -F'
  return value === 'text' ? '-x' : `-x -k -a ${wordsText(value)}`
}

function wordsText(value: Value): string {
  return typeof value === 'string' ? `'(__agent_chat_words ${value})'` : quoted(value.join(' '))
}

function condition(verb: string, number?: string): string {
  return `'__agent_chat_at "${verb}"${number === undefined ? '' : ` ${number}`}'`
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`
}
