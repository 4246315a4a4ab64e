import { operandOf } from './expand.ts'
import { mayBeginDevice, mayJoin, needNoDeviceNames, needPlain } from './files.ts'
import { judgeGit, needOwn } from './git.ts'
import {
  endsAtSomeTime,
  isPlainly,
  literalWords,
  nameOf,
  opensWhatItReads,
  outputOf,
  setIn,
  textsIn,
  wordText,
} from './nodes.ts'
import { NO_OPTION, type Operand, UNKNOWN } from './operand.ts'
import { judgeOwn } from './own.ts'
import { printsPaths } from './paths.ts'
import { judgeProgram } from './programs.ts'
import { composed, copyOf, merge, moveTo, type Scope, set } from './scope.ts'
import {
  type Compound,
  Doubt,
  doubt,
  type Input,
  type Node,
  type Part,
  type Script,
  type Simple,
  type Word,
} from './script.ts'

/** What was found on the way through a script. */
export type Found = { own: boolean }

/** Variables that one command alone may be given, for what they make of it. */
const HARMLESS_SETS =
  /^(LC_ALL=(C|C\.UTF-8|POSIX|en_US\.UTF-8)|LANG=(C|C\.UTF-8|en_US\.UTF-8)|NO_COLOR=1|(GIT_)?PAGER=cat|GIT_OPTIONAL_LOCKS=0|GIT_TERMINAL_PROMPT=0|TZ=UTC)$/

/**
 * Goes through a script in the order in which a shell would. Throws `Doubt` at what may do more
 * than read.
 */
export function judge(script: Script, scope: Scope, found: Found): void {
  for (const { node, certain } of script.items) {
    if (certain) judgeNode(node, scope, found)
    else maybe(scope, (then) => judgeNode(node, then, found))
  }
}

/** What may happen, or not, or happen in another shell. */
function maybe(scope: Scope, run: (scope: Scope) => void): void {
  const then = copyOf(scope)
  run(then)
  merge(scope, then)
}

function judgeNode(node: Node, scope: Scope, found: Found): void {
  if (node.kind === 'simple') judgeOne(node, scope, found)
  else if (node.kind === 'pipeline') {
    for (const [at, part] of node.parts.entries())
      maybe(scope, (then) => {
        if (at > 0) then.allows = undefined
        judgeNode(part, then, found)
      })
    // What one prints may be the name of a file that another one opens.
    if (node.parts.slice(1).some(opensWhatItReads)) needNoDeviceNames(node.parts.flatMap(textsIn))
  } else {
    for (const input of node.inputs) judgeInput(input, scope, found)
    if (opensWhatItReads(node)) needNoDeviceNames(node.inputs.map(({ word }) => wordText(word)))
    // Without a file that it is to read, a shell runs none of it.
    if (node.inputs.every(({ isText }) => isText)) judgeCompound(node, scope, found)
    else maybe(scope, (then) => judgeCompound(node, then, found))
  }
}

function judgeCompound(node: Compound, scope: Scope, found: Found): void {
  // What stands in it may be given another input, or run again.
  scope.allows = undefined
  if (node.kind === 'group') judge(node.body, scope, found)
  else if (node.kind === 'subshell') judge(node.body, { ...copyOf(scope), inLoop: false }, found)
  else if (node.kind === 'if')
    for (const branch of node.branches) maybe(scope, (then) => judge(branch, then, found))
  else judgeLoop(node, scope, found)
}

function judgeLoop(node: Compound & { kind: 'for' | 'while' }, scope: Scope, found: Found): void {
  // What one round sets, the next one begins with.
  for (const name of setIn(node)) if (scope.variables.has(name)) scope.variables.set(name, UNKNOWN)
  if (node.kind === 'while' && !node.condition.items.every(endsAtSomeTime))
    doubt('a loop that may not end')
  const among = node.kind === 'for' ? node.among.map((word) => operand(word, scope, found)) : []
  maybe(scope, (then) => {
    if (node.kind === 'for') {
      // What is none of these may be opened by the name of the variable.
      needPlain(among, scope)
      set(then, node.name, oneOf(among))
    } else judge(node.condition, then, found)
    judge(node.body, Object.assign(then, { inLoop: true }), found)
  })
}

/** Of an output that is split into words, only the first one is known to begin with no `-`. */
function beginsNoOption({ start, many }: Operand): boolean {
  return /^[^-+]/.test(start) && !(many && start.startsWith(NO_OPTION))
}

/** What is known of a variable that is one of these. */
function oneOf(among: Operand[]): Operand {
  return {
    ...UNKNOWN,
    start: among.every(beginsNoOption) ? NO_OPTION : '',
    plain: among.every(({ plain, many }) => plain && !many),
    gone: among.some(({ gone }) => gone),
    globbed: among.every((one) => one.globbed || beginsNoOption(one)),
    toDevices: among.some((one) => one.toDevices || mayBeginDevice(one)),
  }
}

/** What is more than reading passes where the human allows it, as it is written. */
function judgeOne(node: Simple, scope: Scope, found: Found): void {
  try {
    judgeSimple(node, scope, found)
  } catch (error) {
    if (!(error instanceof Doubt) || !isAllowed(node, scope)) throw error
  }
}

function isAllowed(node: Simple, { allows, variables, directories }: Scope): boolean {
  // A variable that the session has as well would reach the program.
  const words = allows && variables.size === 0 ? literalWords(node) : undefined
  return words !== undefined && allows?.(words, directories) === true
}

function judgeSimple(node: Simple, scope: Scope, found: Found): void {
  for (const input of node.inputs) judgeInput(input, scope, found)
  // Some shells take a byte of such a sign for a blank, and what follows for a command.
  if (node.sets.some(({ value }) => value.some(({ kind }) => kind === 'loose')))
    doubt('a value with characters beyond ASCII outside quotes')
  if (node.words.length === 0) {
    if (node.inputs.length > 0) doubt('a value beside a redirection')
    // One after the other, as a shell does: the next value may have this one in it.
    for (const { name, value } of node.sets)
      set(scope, name, { ...operand(value.map(unsplit), scope, found), many: false })
    return
  }
  const values = node.sets.map(({ name, value }) => ({ name, value: operand(value, scope, found) }))
  const program = nameOf(wordText(node.words[0]))
  if (program === '') doubt('a program whose name is only known when it runs')
  // In quotes it would be one more word of the test, which then goes on.
  if (program === '[[' && !isPlainly(node.words.at(-1), ']]')) doubt('a test of an unusual form')
  // What is read may name a file that is then opened, wherever that name stands.
  if (program === 'xargs' || program === 'read') needNoDeviceNames([scope.text])
  const args = node.words.slice(1).map((word) => operand(word, scope, found))
  const isLineRead =
    program === 'read' && values.every(({ name, value }) => name === 'IFS' && value.value === '')
  for (const { name, value } of values)
    if (!isLineRead && !HARMLESS_SETS.test(`${name}=${value.value ?? '\n'}`))
      doubt(`setting the variable ${name}`)
  // What is set in a loop is found by the words as they are written.
  if (program === 'read' && args.some(({ value }, at) => value !== wordText(node.words[at + 1])))
    doubt('read into a variable whose name is only known when it runs')
  run(program, args, scope, found)
}

/** No shell splits an output that a variable is set to. */
function unsplit(part: Part): Part {
  return part.kind === 'output' ? { ...part, quoted: true } : part
}

function run(program: string, args: Operand[], scope: Scope, found: Found): void {
  if (program === 'time' || program === 'timeout') runMeasured(program, args, scope, found)
  else if (program === 'cd') changeDirectory(args, scope)
  else if (program === 'read') readLine(args, scope)
  else if (program === 'git') judgeGit(args, scope)
  else if (program !== 'agent-chat') judgeProgram(program, args, scope)
  else {
    if (judgeOwn(args)) needOwn(scope.directories, scope)
    found.own = true
  }
}

/** What the shell alone can do, and what opens the files that it reads of. */
const NOT_MEASURED = /^(break|cd|command|continue|exit|read|set|time|timeout|type|xargs|\[\[)$/

/** `time` and `timeout` run the command behind them, and are given no option here. */
function runMeasured(by: string, args: Operand[], scope: Scope, found: Found): void {
  const [limit, ...rest] = args
  const [program, ...words] = by === 'time' ? args : rest
  if (by === 'timeout' && !/^\d+(\.\d+)?[smhd]?$/.test(limit?.value ?? ''))
    doubt('timeout without a plain number')
  const name = nameOf(program?.value ?? '')
  if (name === '' || NOT_MEASURED.test(name)) doubt(`${by} with a program of an unusual form`)
  run(name, words, scope, found)
}

/**
 * The host's next command begins where this one ends, and so may one that it was given together
 * with it.
 */
function changeDirectory([to, ...more]: Operand[], scope: Scope): void {
  const path = to?.value
  if (path === undefined || more.length > 0 || /^([-+]|$)/.test(path))
    doubt('cd to a directory that is only known when it runs')
  const relative = !path.startsWith('/')
  // The next round would begin there.
  if (scope.inLoop) doubt('cd in a loop')
  if (relative && !scope.place.cdIsPlain && !/^\.{1,2}(\/|$)/.test(path))
    doubt('cd with a relative path where CDPATH may be set')
  const directories = scope.directories.map((from) => composed(from, path))
  if (!directories.every((directory) => scope.place.isOwn(directory)))
    doubt('cd to a directory that may belong to another repository')
  moveTo(scope, directories)
}

function readLine(args: Operand[], scope: Scope): void {
  let at = 0
  while (/^(-r|-d)$/.test(args[at]?.value ?? '')) {
    if (args[at]?.value === '-d' && args[++at]?.value !== '') doubt('read with an option')
    at += 1
  }
  for (const { value } of args.slice(at)) set(scope, value ?? '', UNKNOWN)
}

/**
 * A file, or a text, that is read besides. A file of which nothing is known may be one of those that
 * a shell itself opens a connection for.
 */
function judgeInput({ word, isText }: Input, scope: Scope, found: Found): void {
  const input = operand(word, scope, found)
  if (isText) return
  if (input.value === undefined && (input.start === '' || mayJoin(input)))
    doubt('a file whose name is only known when it runs')
  needPlain([input], scope)
}

function operand(word: Word, scope: Scope, found: Found): Operand {
  return operandOf(word, scope, (script) => {
    judge(script, { ...copyOf(scope), inLoop: false, allows: undefined }, found)
    const output = outputOf(script)
    return output.start === '' && printsPaths(script, scope)
      ? { start: NO_OPTION, plain: false }
      : output
  })
}
