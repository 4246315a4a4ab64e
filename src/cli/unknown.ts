import { isKnown, similarSession } from '../chat/launch/goTo.ts'
import { CodedError } from '../errors.ts'
import { isReserved, NAME_PATTERN, nameLike, quote } from '../message/name.ts'
import { nearest, slipsOf } from '../message/nearest.ts'
import { verbs } from '../message/verbs.ts'
import { askHere } from '../system/askHere.ts'
import type { Ports } from './ports.ts'

/**
 * A word near a command, or one that people use for one, is more likely meant as that than as a
 * session's name, unless a session has it. With a leading `@` it is meant as a name. Throws `USAGE`
 * for such a word, and for a message behind a name.
 */
export async function refuseUnknown(
  word: string,
  rest: string[],
  ports: Pick<Ports, 'bus' | 'tmux' | 'isTerminal'>,
): Promise<void> {
  const name = bareName(word)
  const isAt = word !== name
  const isName = NAME_PATTERN.test(name)
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  const words = own.filter((arg, at) => !arg.startsWith('-') && !VALUED.includes(own[at - 1] ?? ''))
  if (isAt && !isName) return
  // Whoever wants data of a start says --detach, too; alone it goes with any command.
  const isStart = !own.includes('--json') || own.includes('--detach')
  const isBare = isName && words.length === 0
  if (isBare && isKnown(name, ports)) return
  if (isBare && (isAt || (isStart && meantBy(word, own, []) === undefined)))
    return requireMeant(name, isAt ? [] : commands(), ports)
  const meant = isAt ? undefined : meantBy(word, own, commands())
  const option = own[0]?.startsWith('-') && own[0] !== '--json' ? own[0] : undefined
  if (isName && meant === undefined && option !== undefined)
    throw new CodedError('USAGE', `unknown option '${option.slice(0, 60)}'`, {
      hint: `${agentsOwn(word, own)}; ${SEE_HELP}`,
    })
  throw new CodedError('USAGE', `there is no command ${quote(word)}`, {
    hint: meant ?? notAlone(word, isName),
  })
}

/**
 * A new name that is one slip from a live session's, or from a command, is more likely meant as that
 * one: asks at a terminal, and throws `USAGE` elsewhere.
 */
async function requireMeant(
  name: string,
  words: string[],
  ports: Pick<Ports, 'bus' | 'tmux' | 'isTerminal'>,
): Promise<void> {
  const session = await similarSession(name, ports)
  const command = session === undefined ? slipsOf(name, words)[0] : undefined
  if (session === undefined && command === undefined) return
  const is = session === undefined ? `${command} is a command` : `@${session} is running`
  if ((await ports.isTerminal('stdin')) && askHere(`${is}; start a new session @${name}?`)) return
  const start = `to start a session of this name: agent-chat start ${name}`
  throw session === undefined
    ? new CodedError('USAGE', `there is no command ${quote(name)}`, {
        hint: `did you mean: agent-chat ${command}; ${start}`,
      })
    : new CodedError('USAGE', `there is no session @${name}, but ${is}`, {
        hint: `to see it: agent-chat attach ${session}; ${start}`,
      })
}

/** What people type for a command that has another word here, and only lists. */
const HABITS: Record<string, string[]> = {
  ls: ['who'],
  list: ['who'],
  ps: ['who'],
  '-v': ['--version'],
}

/** The command line that a habit of other programs means; undefined where it is none. */
export function habit(argv: string[]): string[] | undefined {
  const [first = '', ...rest] = argv
  const meant = Object.hasOwn(HABITS, first) ? HABITS[first] : undefined
  return meant === undefined ? undefined : [...meant, ...rest]
}

/**
 * The words that the launcher was given. Throws `USAGE` for a second one before two dashes: a second
 * session, or a word for the agent, which the agent would get as its first prompt.
 */
export function refuseSecond(rest: string[]): void {
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  const words = own.flatMap((arg, at) =>
    arg.startsWith('-') || VALUED.includes(own[at - 1] ?? '') ? [] : [{ arg, at }],
  )
  const [name, second] = words
  if (!name || !second) return
  // An option of the agent before the second word is the agent's, with that word as its value.
  const between = own.slice(name.at + 1, second.at).filter((arg) => arg.startsWith('-'))
  const isOurs = between.some((arg) => ['--detach', '--force', '--no-tmux', '--json'].includes(arg))
  const from = isOurs ? second.at : name.at + 1
  throw new CodedError('USAGE', 'start takes 1 name', {
    hint: agentsOwn(name.arg, own.slice(from)),
  })
}

/** The launcher's options that have a value; all but the first two are its own. */
const VALUED = ['--cmd', '--agent', '--handover', '--become', '--ended']

const SEE_HELP = 'see: agent-chat --help'

/** What people type before they know the words, by the line that they mean. */
const MEANT = {
  who: 'sessions list-sessions',
  'who <name>': 'whois',
  'who human': 'decisions',
  escalate: 'escalation',
  'attach <name>': 'attach-session switch-client',
  'send @<name> --handover': 'handover handoff',
  'help exit-codes': 'exit-codes',
  'help environment': 'environment config settings',
  console: 'chat talk ui tui',
  inbox: 'messages read unread',
  reply: 'answer respond decide',
  'send @<name> "…"': 'message msg tell write',
  history: 'log logs',
  'history --follow': 'tail',
  'search <words>': 'find grep',
  'start <name>': 'run new open launch new-session new-window split-window',
  'stop <name>': 'quit exit kill close end kill-session kill-window kill-pane',
  'join <name>': 'register',
  'leave <name>': 'remove delete unregister rm',
  gate: 'blocked',
  pause: 'mute silence',
  unpause: 'unmute',
  prune: 'clean cleanup',
  setup: 'init install',
  '--version': 'version',
  '--help': 'commands usage man -?',
}

/**
 * Verbs of git, gh, npm, docker, brew and systemctl, and of programs with a screen: whoever types
 * one alone means a command. Words that name a part of a system (api, auth, docs, …) are not among
 * them.
 */
const FOREIGN = new Set(
  `add adduser alias am annotate archive audit autoremove bisect blame branch browse bugs build bundle
  cancel check checkout cherry cherry-pick ci clean cleanup clone codespace commit compose config
  configure convert cp create daemon-reload debug dedupe deploy deprecate deps desc describe diff
  disable dist-tag edit enable events exec explain explore extension fetch format-patch freeze fsck
  fund gc get gist halt hibernate images import info inspect isolate issue leaves link list-units load
  login logout mask merge mergetool migrate missing mv options outdated owner pack pin ping pkg
  poweroff pr preview publish pull push query range-diff reboot rebase rebuild reflog reinstall reload
  reload-or-restart remote repack replace repo reset restart restore revert rm rmi room ruleset save
  sbom scout serve services set shell shellenv shortlog shrinkwrap sparse-checkout squash stash
  submodule suspend switch sync tag tap test thaw top try-restart tui ui unfreeze uninstall unlink
  unmask unpin unpublish untap update upgrade uses variable verify view wait workflow worktree apply
  bugreport buildx difftool find-dupes is-active is-enabled is-failed preset rescue reset-failed
  rev-list rev-parse run-script send-email sleep star undeprecate unstar`.split(/\s+/),
)

/** There is no help about a word that is no command. */
export function unknownCommand(word: string): CodedError {
  return new CodedError('USAGE', `there is no command ${quote(word)}`, {
    hint: meantBy(word, [], commands()) ?? SEE_HELP,
  })
}

/** What an option that the launcher lacks may be: one of other programs, or one of the agent's. */
export function unknownLauncherOption([first = '', ...rest]: string[]): string | undefined {
  const meant = guess(first)
  if (meant !== undefined) return `did you mean: agent-chat ${meant}`
  return NAME_PATTERN.test(first.replace(/^@/, '')) ? agentsOwn(first, rest) : undefined
}

/** What people ask of a command that does it without being asked, or by another word. */
const ASKED: [words: RegExp, line: string][] = [
  [/^doctor --(fix|repair|yes)$/, 'doctor repairs what is safe to repair: agent-chat doctor'],
  [/^(tasks|links|health|schedule|agents) (--all|-a)$/, '$1 lists all of them: agent-chat $1'],
  [/^(history|search) (--all|-a)$/, 'to write all messages: agent-chat export --out -'],
]

/** What to type instead of an option that a command does not have; undefined where none is near. */
export function askedOf(verb: string, option: string): string | undefined {
  const given = `${verb} ${option}`
  const [words, line] = ASKED.find(([one]) => one.test(given)) ?? []
  return words && line && given.replace(words, line)
}

/** What somebody means who gives more words than a command takes. */
export function excessWords(verb: string, given: string[]): string | undefined {
  const words = given.filter((word) => /^[\w./@-]{1,60}$/.test(word) && !word.startsWith('-'))
  const [first = '', second] = words
  if (verb === 'approve' && second !== undefined)
    return `agent-chat approve @${bareName(first)} --as ${bareName(second)}`
  if (verb === 'watch-file' && second !== undefined)
    return `agent-chat watch-file ${first} --notify @${bareName(second)}`
  if (verb === 'export') return `to write to a file: agent-chat export --out ${first}`
  if (verb === 'tasks' || verb === 'who' || verb === 'health')
    return `what one session does, and its tasks: agent-chat who ${first}`
  if (verb === 'pause' || verb === 'unpause')
    return `${verb} is for all sessions: agent-chat ${verb}`
  if (verb === 'stats') return 'stats is for all sessions: agent-chat stats'
  return undefined
}

function commands(): string[] {
  return verbs().flatMap((verb) => ('hidden' in verb ? [] : [verb.word]))
}

/**
 * What to type instead of a word that is no command, where it is likely to be meant as one, or as
 * one of `known`.
 */
function meantBy(word: string, rest: string[], known: string[]): string | undefined {
  const meant = guess(word, rest) ?? (FOREIGN.has(word) ? undefined : nearest(word, known))
  if (meant !== undefined) return `did you mean: agent-chat ${meant}`
  if (['update', 'upgrade'].includes(word))
    return 'update it where it was installed: git pull in its folder, or claude plugin update agent-chat'
  if (word === 'uninstall')
    return 'for an agent: agent-chat setup --agent codex --remove; the rest is in docs/reference.md#uninstall'
  if (!FOREIGN.has(word)) return undefined
  return isReserved(word)
    ? SEE_HELP
    : `to start a session of this name: agent-chat start ${word}; ${SEE_HELP}`
}

/** The line that a word of other programs means here. `rest`: the words behind it. */
function guess(word: string, rest: readonly string[] = []): string | undefined {
  // tmux has the name behind an option.
  const bare = rest.find((one) => !one.startsWith('-'))?.replace(/^@/, '') ?? ''
  const name = NAME_PATTERN.test(bare) ? bare : '<name>'
  const meant = Object.entries(MEANT).find(([, words]) => words.split(' ').includes(word))
  return meant?.[0].replace('<name>', name)
}

function notAlone(word: string, isName: boolean): string {
  const verb = verbs().find((known) => !('hidden' in known) && known.word === word.toLowerCase())
  if (verb !== undefined) return `did you mean: agent-chat ${verb.word}`
  const name = isName ? word.replace(/^@/, '') : nameLike(word)
  if (name === undefined) return SEE_HELP
  if (!isName) return `for a session, in small letters: agent-chat start ${name}; ${SEE_HELP}`
  return `to start a session of this name: agent-chat start ${name}; to write to it: agent-chat send @${name} "…"; ${SEE_HELP}`
}

function agentsOwn(word: string, args: string[]): string {
  const shown = args.every((arg) => /^[\w./:=@-]{1,40}$/.test(arg)) ? args.join(' ') : '…'
  const name = NAME_PATTERN.test(bareName(word)) ? bareName(word) : (nameLike(word) ?? '<name>')
  return `put the agent's own options after two dashes: agent-chat start ${name} -- ${shown}`
}

function bareName(word: string): string {
  return word.replace(/^@/, '')
}
