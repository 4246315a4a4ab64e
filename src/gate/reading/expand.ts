import { leadsToDevices } from './files.ts'
import { NO_OPTION, type Operand, UNKNOWN } from './operand.ts'
import { isOwnVariable, type Scope } from './scope.ts'
import { doubt, type Part, type Script, type Word } from './script.ts'

/** Judges a script that stands in a word. Throws `Doubt`. */
export type JudgeInner = (script: Script) => { start: string; plain: boolean }

export function operandOf(word: Word, scope: Scope, judge: JudgeInner): Operand {
  let value: string | undefined = ''
  let start = ''
  let many = false
  let loose = false
  let number = true
  const add = (part: Operand) => {
    if (value !== undefined) start += part.value ?? part.start
    value = value === undefined || part.value === undefined ? undefined : value + part.value
    many ||= part.many
    number &&= part.number
  }
  let known = ''
  for (const part of word) {
    const is = partOf(part, scope, judge)
    if (is.loose) loose = true
    known += is.value ?? '?'
    add(is)
  }
  const rest = value === undefined && leadsToDevices(known) ? { toDevices: true } : {}
  return { value, start: loose ? '' : start, many, number: number && word.length > 0, ...rest }
}

type Seen = Operand & { loose?: boolean }

function partOf(part: Part, scope: Scope, judge: JudgeInner): Seen {
  if (part.kind === 'text') return literal(part.text)
  if (part.kind === 'pattern') return { ...UNKNOWN, many: true }
  if (part.kind === 'loose') return { ...UNKNOWN, many: true, loose: true }
  if (part.kind === 'number') return { ...UNKNOWN, start: '0', number: true }
  if (part.kind === 'home') return literalOr(scope.place.home, '/')
  if (part.kind === 'variable') return variable(part, scope)
  const { start, plain } = judge(part.script)
  if (part.kind === 'stream') return { ...UNKNOWN, start: NO_OPTION }
  const seen = { ...UNKNOWN, start }
  return part.quoted || plain ? seen : { ...seen, many: true, loose: true }
}

function variable(part: Part & { kind: 'variable' }, scope: Scope): Seen {
  const known = scope.variables.get(part.name) ?? outer(part.name, scope)
  const is = part.whole ? known : UNKNOWN
  if (part.quoted) return is
  // A shell other than zsh splits what is not quoted, and looks for files.
  return is.value !== undefined && /^[\w./:@%+,=-]+$/.test(is.value)
    ? is
    : { ...UNKNOWN, many: true, loose: true }
}

/** Variables that every session has, and that tell nothing secret. */
function outer(name: string, { place }: Scope): Operand {
  if (name === 'HOME') return literalOr(place.home, '/')
  if (name === 'PWD') return literalOr(undefined, '/')
  if (name === 'USER' || name === 'SHELL') return UNKNOWN
  return doubt(
    isOwnVariable(name)
      ? `the variable ${name}, which the command does not set`
      : `the variable ${name}`,
  )
}

function literal(text: string): Operand {
  return { value: text, start: text, many: false, number: /^\d*$/.test(text) }
}

function literalOr(text: string | undefined, start: string): Operand {
  return text === undefined ? { ...UNKNOWN, start } : literal(text)
}
