import { leadsToDevices, mayBeginDevice } from './files.ts'
import { NO_OPTION, type Operand, UNKNOWN } from './operand.ts'
import { isOwnVariable, type Scope } from './scope.ts'
import { doubt, type Part, type Script, type Word } from './script.ts'

/** Judges a script that stands in a word. Throws `Doubt`. */
export type JudgeInner = (script: Script) => { start: string; plain: boolean }

export function operandOf(word: Word, scope: Scope, judge: JudgeInner): Operand {
  const parts = word.map((part) => partOf(part, scope, judge))
  const known = parts.every(({ value }) => value !== undefined)
  const shape = parts.map(({ value, sign = '?' }) => value ?? sign).join('')
  return {
    value: known ? shape : undefined,
    start: parts.some(({ loose }) => loose) ? '' : startOf(parts),
    many: parts.some(({ many }) => many),
    number: word.length > 0 && parts.every(({ number }) => number),
    shape,
    plain: word.length > 0 && parts.every(({ plain }) => plain),
    gone: parts.every(({ gone, value }) => gone || value === ''),
    globbed:
      parts.find(({ value }) => value === undefined)?.globbed === true &&
      !parts.some(({ loose }) => loose),
    toDevices:
      !known &&
      (leadsToDevices(shape) || parts.some(({ toDevices }) => toDevices) || isLeft(parts)),
  }
}

/** Whether the name of a device is left over, where the parts before it are empty texts. */
function isLeft(parts: Seen[]): boolean {
  const goes = parts.findIndex(({ gone, value }) => !gone && value !== '')
  const before = parts.slice(0, goes < 0 ? parts.length : goes + 1)
  return before.some(({ gone }, at) => {
    const start = startOf(parts.slice(at + 1))
    return gone && mayBeginDevice({ value: undefined, start })
  })
}

/** How a word of these parts begins: with the next one, where the first may be empty. */
function startOf(parts: Seen[]): string {
  const at = parts.findIndex(({ value }) => value === undefined)
  const before = parts.slice(0, at < 0 ? parts.length : at).map(({ value }) => value)
  const [unknown, ...rest] = at < 0 ? [] : parts.slice(at)
  const start = before.join('') + (unknown?.start ?? '')
  if (start !== NO_OPTION || !unknown?.gone || rest.every(({ value }) => value === '')) return start
  return /^([-+]|$)/.test(startOf(rest)) ? '' : start
}

type Seen = Operand & { loose?: boolean; sign?: string }

const PATTERN: Seen = { ...UNKNOWN, many: true, globbed: true, sign: '*' }
const CARET: Seen = { ...PATTERN, sign: '^' }

function partOf(part: Part, scope: Scope, judge: JudgeInner): Seen {
  if (part.kind === 'text') return literal(part.text)
  if (part.kind === 'pattern') return part.sign === '^' ? CARET : PATTERN
  if (part.kind === 'braces') return { ...UNKNOWN, many: true }
  if (part.kind === 'loose') return { ...UNKNOWN, many: true, loose: true }
  if (part.kind === 'number') return { ...UNKNOWN, start: '0', number: true, plain: true }
  if (part.kind === 'home') return literalOr(scope.place.home, '/')
  if (part.kind === 'variable') return variable(part, scope)
  const { start, plain } = judge(part.script)
  if (part.kind === 'stream') return { ...UNKNOWN, start: NO_OPTION }
  const seen = { ...UNKNOWN, start, plain, gone: true }
  if (part.quoted) return seen
  return { ...seen, many: true, loose: !plain }
}

function variable(part: Part & { kind: 'variable' }, scope: Scope): Seen {
  const known = scope.variables.get(part.name) ?? outer(part.name, scope)
  const is = part.whole ? known : UNKNOWN
  if (part.quoted) return is
  // In zsh it may become a pattern that runs something.
  if (is.value?.includes('(')) doubt('a pattern in a variable outside quotes')
  // A shell other than zsh splits what is not quoted, and looks for files.
  return is.plain ? { ...is, many: is.gone === true } : { ...UNKNOWN, many: true, loose: true }
}

/** Places, names and languages: nobody keeps a secret in these. */
const KNOWN =
  /^(USER|LOGNAME|HOSTNAME|SHELL|PATH|TERM|LANG|LC_ALL|TZ|TMPDIR|EDITOR|CI|NODE_ENV|VIRTUAL_ENV|CONDA_PREFIX|GO(PATH|ROOT|PRIVATE)|JAVA_HOME|CARGO_HOME|RUSTUP_HOME|NVM_DIR|PYENV_ROOT|XDG_(CONFIG|DATA|CACHE|STATE)_HOME)$/

/** Variables that a session has, and that tell nothing secret. */
function outer(name: string, { place }: Scope): Operand {
  if (name === 'HOME') return place.home === undefined ? UNKNOWN : literal(place.home)
  if (name === 'PWD') return literalOr(undefined, '/')
  if (KNOWN.test(name)) return UNKNOWN
  return doubt(
    isOwnVariable(name)
      ? `the variable ${name}, which the command does not set`
      : `the variable ${name}`,
  )
}

function literal(text: string): Operand {
  const plain = /^[\w./:@%+,=-]+$/.test(text)
  // `:` comes right after `9`, so most words need not be tried.
  const number = text === '' || (text < ':' && /^\d*$/.test(text))
  return { value: text, start: text, many: false, number, plain }
}

function literalOr(text: string | undefined, start: string): Operand {
  return text === undefined ? { ...UNKNOWN, start } : literal(text)
}
