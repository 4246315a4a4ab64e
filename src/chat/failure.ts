import { openFilesHint } from '../bus/homeError.ts'
import { CodedError, isCoded } from '../errors.ts'
import { visible, visibleLine } from '../message/visible.ts'
import { isErrno, reasonOf } from '../system/errno.ts'
import { nearestThere } from '../system/files.ts'
import { EXIT_CODES } from './exit.ts'

/** A failure as the user sees it. */
export type Failure = {
  code: string
  message: string
  hint: string
  exit: number
  /** What another program said of it. */
  lines: string[]
}

/**
 * Any error as a failure: ours as they are, the parser's as bad usage, what is left as a fault of
 * ours.
 */
export function failureOf(error: unknown): Failure {
  const coded = isCoded(error) ? error : (usageError(error) ?? systemError(error) ?? fault(error))
  return {
    code: coded.code,
    message: visible(oneLine(coded.message)),
    hint: visible(oneLine(coded.hint)),
    exit: EXIT_CODES[coded.code],
    lines: (coded.lines ?? []).map(visibleLine),
  }
}

/**
 * The text for standard error: two lines, with those of another program between them, or one object
 * with `--json`.
 */
export function failureText(failure: Failure, json: boolean): string {
  const { code, message, hint, lines } = failure
  const said = lines.length === 0 ? {} : { lines }
  if (json) return `${JSON.stringify({ error: { code, message, hint, ...said } })}\n`
  return `agent-chat: ${message}\n${lines.map((line) => `  | ${line}\n`).join('')}  hint: ${hint}\n`
}

/**
 * What commander says: an argument stands in it as it was given, with all its lines, and a
 * suggestion may stand on the last one.
 */
const COMMANDERS = /^(?:error: )?([\s\S]*?)(?:\n\((Did you mean [^\n]*)\))?$/

/** A body that was taken for an option need not be said again in full. */
const LONGEST_TOLD = 200

/**
 * What bad usage was of: the command with an example of it, or the launcher, and what an option may
 * be that none is.
 */
export type Usage = {
  verb?: string | undefined
  example?: string | undefined
  unknownOption: string | undefined
  /** What somebody means who gives it too many words. */
  excess?: string | undefined
}

/** commander's errors have codes of its own, and a suggestion on a second line. */
function usageError(error: unknown): CodedError | undefined {
  if (
    !(error instanceof Error) ||
    !('code' in error) ||
    !String(error.code).startsWith('commander.')
  )
    return undefined
  const [, text = '', suggestion] = COMMANDERS.exec(error.message) ?? []
  const plain = plainWords(text)
  const told = plain.length > LONGEST_TOLD ? `${plain.slice(0, LONGEST_TOLD)}…` : plain
  const hint = usageHint(
    String(error.code),
    suggestion,
    'usage' in error ? (error.usage as Usage) : undefined,
  )
  return new CodedError('USAGE', told, { hint, cause: error })
}

/** How commander says what we say in words of our own. */
const OWN_WORDS: [RegExp, string][] = [
  [/^command-argument value '([\s\S]*)' is invalid for argument '[^']*'\. /, '"$1" '],
  [/^option '(?:-\w, )?(--[^ ]+)[^']*' argument '([\s\S]*)' is invalid\. /, '$1: "$2" '],
  [/Allowed choices are (.*)\.$/, 'is not one of: $1'],
  [/^option '(?:-\w, )?(--[^ ]+) ([^']*)' argument missing$/, '$1 needs a value: $2'],
  [/^too many arguments for '(.*)'\. Expected 0 arguments but got \d+\.$/, '$1 takes no arguments'],
  [
    /^too many arguments for '(.*)'\. Expected (\d+ arguments?) but got (\d+)\.$/,
    '$1 takes $2, not $3',
  ],
]

function plainWords(text: string): string {
  return OWN_WORDS.reduce((words, [pattern, ours]) => words.replace(pattern, ours), text)
}

function usageHint(code: string, suggestion: string | undefined, usage: Usage | undefined): string {
  const see = `see: agent-chat ${usage?.verb === undefined ? '' : `${usage.verb} `}--help`
  if (suggestion !== undefined) return `${suggestion.replace(/^Did/, 'did')} ${see}`
  if (code === 'commander.unknownOption' && usage?.unknownOption)
    return `${usage.unknownOption}; ${see}`
  if (code === 'commander.excessArguments' && usage?.excess) return `${usage.excess}; ${see}`
  if (code === 'commander.missingArgument' && usage?.example)
    return `for example: ${usage.example}; ${see}`
  return see
}

/** Where the system refused something elsewhere than in the home, of which `homeError` tells. */
const REFUSED = [
  ...['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'],
  ...['ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EIO'],
]

function systemError(error: unknown): CodedError | undefined {
  if (!isErrno(error, ...REFUSED)) return undefined
  const hint =
    openFilesHint(error) ??
    (error.path === undefined
      ? 'find the cause with: agent-chat doctor'
      : `check its owner and mode: ls -ld ${nearestThere(error.path)}`)
  return new CodedError('FAULT', error.message, { hint, cause: error })
}

function fault(error: unknown): CodedError {
  const message = reasonOf(error)
  return new CodedError('FAULT', `a bug in agent-chat: ${message}`, {
    hint: 'check the installation with: agent-chat doctor; to see where it failed, set AGENT_CHAT_DEBUG=1',
    cause: error,
  })
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
