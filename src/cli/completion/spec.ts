import type { Argument, Command, Option } from 'commander'

/**
 * What can stand in a place of the command line: words of a list, or what is known only when Tab is pressed. `names` are sessions and the human,
 * `sessions` the registered ones; `text` is anybody's guess.
 */
export type Value = readonly string[] | 'names' | 'sessions' | 'ids' | 'tasks' | 'files' | 'text'

/** A flag under all its names; one without `value` takes none. */
export type Flag = { names: string[]; summary: string; value?: Value }

/** A command as completion needs it. `rest` is what may follow its arguments, where the last one may be repeated. */
export type Verb = { name: string; summary: string; flags: Flag[]; args: Value[]; rest?: Value }

/** All that is completed: the launcher's own flags, and every command. */
export type Spec = { launcher: Verb; verbs: Verb[] }

/** What stands in the place of a value, by the name that its command gives it. */
const VALUES: Record<string, Value> = {
  name: 'names',
  recipient: 'names',
  peer: 'names',
  old: 'sessions',
  id: 'ids',
  chain: 'ids',
  task: 'tasks',
  path: 'files',
}

/** What `definitions.json` holds: the definitions of the launcher and of all commands, as commander has them, so that nothing is told twice. */
export function readSpec(launcher: Command, commands: readonly Command[]): Spec {
  // The first word is completed by itself, and what is behind the dashes is the agent's.
  const { name, summary, flags } = verbSpec(launcher)
  return { launcher: { name, summary, flags, args: [] }, verbs: commands.map(verbSpec) }
}

/** What its help does not show is left out. */
function verbSpec(command: Command): Verb {
  const args = command.registeredArguments
  const last = args.at(-1)
  const rest = last?.variadic ? { rest: placeValue(last) } : {}
  return {
    name: command.name(),
    summary: command.description(),
    flags: [...command.options.filter(({ hidden }) => !hidden).map(flagOf), HELP],
    args: args.map(placeValue),
    ...rest,
  }
}

const HELP: Flag = { names: ['-h', '--help'], summary: 'show help' }

function flagOf(option: Option): Flag {
  const names = [option.short, option.long].filter((name) => name !== undefined)
  const flag = { names, summary: option.description }
  return option.required || option.optional ? { ...flag, value: placeValue(option) } : flag
}

function placeValue(place: Argument | Option): Value {
  if (place.argChoices) return place.argChoices
  const name = 'flags' in place ? /[<[]([a-z-]+)/.exec(place.flags)?.[1] : place.name()
  return VALUES[name ?? ''] ?? 'text'
}
