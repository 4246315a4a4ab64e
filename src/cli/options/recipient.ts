import type { Command } from 'commander'
import { CodedError, isCoded } from '../../errors.ts'
import { NAME_PATTERN } from '../../message/name.ts'
import type { Ports } from '../ports.ts'

/** What is thrown for a word that names nobody, and so may be no recipient at all. */
const NOBODY = ['NAME_INVALID', 'BROADCAST_REFUSED', 'SESSION_UNKNOWN'] as const

/** What people want to do with a task, or with all of them, behind the wrong word. */
const PROGRESS = ['list', 'ls', 'show', 'accept', 'decline', 'done', 'fail']

function noRecipient(first: string, id: string): CodedError {
  const line = first === 'list' || first === 'ls' ? 'tasks' : `${first} ${id || '<id>'}`
  return usage('who is the task for?', `did you mean: agent-chat ${line}`)
}

/** Does what a command does with its recipient. Who forgot it, or put it last, is told the line. */
export async function toRecipient<T>(
  verb: string,
  first: string,
  words: readonly string[],
  act: () => Promise<T>,
): Promise<T> {
  const [second = '', ...text] = words
  if (first.startsWith('@') && NAME_PATTERN.test(/^@(.*)$/.exec(second)?.[1] ?? ''))
    throw twoRecipients(verb, [first, second], text.join(' ') || '…')
  try {
    return await act()
  } catch (error) {
    const isNobody = NOBODY.some((code) => isCoded(error, code))
    if (isNobody && verb === 'task' && PROGRESS.includes(first)) throw noRecipient(first, second)
    const apart = words.length === 0 && isCoded(error, 'NAME_INVALID') && oneArgument(verb, first)
    if (apart) throw apart
    throw (isNobody && !first.startsWith('@') && mistake(verb, first, words)) || error
  }
}

/** The name and the text, in the same quotes. */
function oneArgument(verb: string, given: string): CodedError | undefined {
  const [, to = '', text] = /^@(\S+?):?\s+([\s\S]+)$/.exec(given) ?? []
  if (text === undefined || !NAME_PATTERN.test(to)) return undefined
  return usage(
    'the name and the text are 1 argument',
    `agent-chat ${verb} @${to} ${JSON.stringify(text)}`,
  )
}

function twoRecipients(verb: string, names: string[], text: string): CodedError {
  const lines = names.map((name) => `agent-chat ${verb} ${name} ${JSON.stringify(text)}`)
  return new CodedError('BROADCAST_REFUSED', 'a message goes to one session at a time', {
    hint: `${lines.join('; then: ')}; or put a text that begins with a name in quotes`,
  })
}

function mistake(verb: string, first: string, words: readonly string[]): CodedError | undefined {
  const line = (name: string, text: string[]) =>
    `agent-chat ${verb} ${name} ${JSON.stringify(text.join(' '))}`
  const at = words.findIndex((word) => NAME_PATTERN.test(/^@(.*?):?$/.exec(word)?.[1] ?? ''))
  if (at >= 0) {
    const text = [first, ...words.filter((_, place) => place !== at)]
    return usage('the recipient comes first', line((words[at] ?? '').replace(/:$/, ''), text))
  }
  const [next = '', ...rest] = words
  const name = next.replace(/:$/, '')
  if (/^to$/i.test(first) && NAME_PATTERN.test(name) && rest.length > 0)
    return usage('the recipient comes first', line(`@${name}`, rest))
  // A list of names is refused for what it is.
  const isText =
    /\s/.test(first.trim()) && !/^@?[a-z][a-z0-9-]*([,;]\s*@?[a-z][a-z0-9-]*)+$/.test(first)
  return isText ? usage('who is it for?', line('@name', [first, ...words])) : undefined
}

function usage(what: string, hint: string): CodedError {
  return new CodedError('USAGE', what, { hint })
}

/**
 * Adds `--as`, which says who speaks. The action finds the name under the option's earlier name,
 * which goes on working and tells what it is called now.
 */
export function withSpeaker(
  command: Command,
  ports: Pick<Ports, 'notice'>,
  former: 'from' | 'name' = 'from',
): Command {
  return command
    .option('--as <name>', 'act as this session, or as human')
    .addOption(command.createOption(`--${former} <name>`).hideHelp())
    .on('option:as', (name: string) => command.setOptionValue(former, name))
    .on(`option:${former}`, () => ports.notice(`--${former} is now called --as`))
}
