import { operandOf } from './expand.ts'
import { needNoDeviceNames, needPlain } from './files.ts'
import { judgeGit, needOwn } from './git.ts'
import { NO_OPTION, type Operand, UNKNOWN } from './operand.ts'
import { judgeOwn } from './own.ts'
import { judgeProgram } from './programs.ts'
import { composed, copyOf, merge, moveTo, type Scope, set } from './scope.ts'
import {
  type Compound,
  doubt,
  type Input,
  type Node,
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
  if (node.kind === 'simple') judgeSimple(node, scope, found)
  else if (node.kind === 'pipeline') {
    for (const part of node.parts) maybe(scope, (then) => judgeNode(part, then, found))
    // What one prints may be the name of a file that another one opens.
    if (node.parts.slice(1).some(opensWhatItReads)) needNoDeviceNames(node.parts.flatMap(textsIn))
  } else {
    for (const input of node.inputs) judgeInput(input, scope, found)
    if (opensWhatItReads(node)) needNoDeviceNames(node.inputs.map(({ word }) => wordText(word)))
    judgeCompound(node, scope, found)
  }
}

function judgeCompound(node: Compound, scope: Scope, found: Found): void {
  if (node.kind === 'group') judge(node.body, scope, found)
  else if (node.kind === 'subshell') judge(node.body, { ...copyOf(scope), inLoop: false }, found)
  else if (node.kind === 'if')
    for (const branch of node.branches) maybe(scope, (then) => judge(branch, then, found))
  else judgeLoop(node, scope, found)
}

function judgeLoop(node: Compound & { kind: 'for' | 'while' }, scope: Scope, found: Found): void {
  // What one round sets, the next one begins with.
  for (const name of setIn(node)) if (scope.variables.has(name)) scope.variables.set(name, UNKNOWN)
  if (node.kind === 'while' && !node.condition.items.every((item) => isRead(item.node)))
    doubt('a loop that may not end')
  const among = node.kind === 'for' ? node.among.map((word) => operand(word, scope, found)) : []
  maybe(scope, (then) => {
    if (node.kind === 'for') {
      // What is none of these may be opened by the name of the variable.
      needPlain(among, scope)
      const plain = among.every(({ start }) => start !== '' && !start.startsWith('-'))
      set(then, node.name, { ...UNKNOWN, start: plain ? NO_OPTION : '' })
    } else judge(node.condition, then, found)
    judge(node.body, Object.assign(then, { inLoop: true }), found)
  })
}

/** Whether a part of a pipeline may open files that are named in what it reads. */
function opensWhatItReads(node: Node): boolean {
  return node.kind === 'simple' ? wordText(node.words[0]) === 'xargs' : node.kind !== 'pipeline'
}

/** The words of a command, as far as they are known. */
function textsIn(node: Node): string[] {
  return node.kind === 'simple' ? node.words.map(wordText) : []
}

function isRead(node: Node): boolean {
  return node.kind === 'simple' && wordText(node.words[0]) === 'read'
}

/** The names that are set somewhere in a loop. */
function setIn(node: Node): string[] {
  if (node.kind === 'simple')
    return [...node.sets.map(({ name }) => name), ...(isRead(node) ? node.words.map(wordText) : [])]
  if (node.kind === 'pipeline') return node.parts.flatMap(setIn)
  const inside = (script: Script) => script.items.flatMap((item) => setIn(item.node))
  if (node.kind === 'if') return node.branches.flatMap(inside)
  if (node.kind === 'for') return [node.name, ...inside(node.body)]
  return [...(node.kind === 'while' ? inside(node.condition) : []), ...inside(node.body)]
}

function judgeSimple(node: Simple, scope: Scope, found: Found): void {
  for (const input of node.inputs) judgeInput(input, scope, found)
  const values = node.sets.map(({ name, value }) => ({ name, value: operand(value, scope, found) }))
  if (node.words.length === 0) {
    for (const { name, value } of values) set(scope, name, { ...value, many: false })
    return
  }
  const program = wordText(node.words[0])
  if (program === '') doubt('a program whose name is only known when it runs')
  const args = node.words.slice(1).map((word) => operand(word, scope, found))
  const isLineRead =
    program === 'read' && values.every(({ name, value }) => name === 'IFS' && value.value === '')
  for (const { name, value } of values)
    if (!isLineRead && !HARMLESS_SETS.test(`${name}=${value.value ?? '\n'}`))
      doubt(`setting the variable ${name}`)
  run(program, args, scope, found)
}

function run(program: string, args: Operand[], scope: Scope, found: Found): void {
  if (program === 'cd') changeDirectory(args, scope)
  else if (program === 'read') readLine(args, scope)
  else if (program === 'git') judgeGit(args, scope)
  else if (program !== 'agent-chat') judgeProgram(program, args, scope)
  else {
    if (judgeOwn(args)) needOwn(scope.directories, scope)
    found.own = true
  }
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
  if (relative && scope.inLoop) doubt('cd in a loop')
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
  if (input.value === undefined && input.start === '')
    doubt('a file whose name is only known when it runs')
  needPlain([input], scope)
}

function operand(word: Word, scope: Scope, found: Found): Operand {
  return operandOf(word, scope, (script) => {
    judge(script, { ...copyOf(scope), inLoop: false }, found)
    return outputOf(script)
  })
}

/** How the output of a script begins, where that can be told, and whether it is one word. */
function outputOf({ items }: Script): { start: string; plain: boolean } {
  const [item] = items
  if (items.length !== 1 || item?.node.kind !== 'simple') return { start: '', plain: false }
  const text = item.node.words.map(wordText).join(' ')
  if (
    /^git (merge-base( [\w./~^-]+){2}|rev-parse( --short)? [A-Z_]+)$/.test(text) &&
    !text.includes(' -- ')
  )
    return { start: NO_OPTION, plain: true }
  const isPath =
    /^(pwd|git rev-parse --(show-toplevel|git-dir|absolute-git-dir|git-common-dir))$/.test(text)
  return { start: isPath ? NO_OPTION : '', plain: false }
}

/** A word as it is written, where nothing else can become of it; else an empty text. */
function wordText(word: Word | undefined): string {
  const parts = (word ?? []).map((part) =>
    part.kind === 'text' && part.how !== 'escaped' ? part.text : undefined,
  )
  return parts.includes(undefined) ? '' : parts.join('')
}
