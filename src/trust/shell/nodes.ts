import { NO_OPTION } from './operand.ts'
import type { Item, Node, Script, Simple, Word } from './script.ts'

// What can be told of a part of a script by itself, wherever it runs.

/** The name of a program that is given by where it is as well. */
export function nameOf(program: string): string {
  return program.startsWith('/') ? program.replace(/^\/(usr\/)?bin\/(?=[\w[]+$)/, '') : program
}

/** Whether a part of a pipeline may open files that are named in what it reads. */
export function opensWhatItReads(node: Node): boolean {
  return node.kind === 'simple'
    ? nameOf(wordText(node.words[0])) === 'xargs'
    : node.kind !== 'pipeline'
}

/** The words of a command, as far as they are known. */
export function textsIn(node: Node): string[] {
  return node.kind === 'simple' ? node.words.map(wordText) : []
}

function isRead(node: Node): boolean {
  return node.kind === 'simple' && wordText(node.words[0]) === 'read'
}

/** A file that the condition itself opens is begun again in each round. */
export function endsAtSomeTime({ node }: Item): boolean {
  return isRead(node) && node.kind === 'simple' && node.inputs.length === 0
}

/** The names that are set somewhere in a loop. */
export function setIn(node: Node): string[] {
  if (node.kind === 'simple')
    return [...node.sets.map(({ name }) => name), ...(isRead(node) ? node.words.map(wordText) : [])]
  if (node.kind === 'pipeline') return node.parts.flatMap(setIn)
  const inside = (script: Script) => script.items.flatMap((item) => setIn(item.node))
  if (node.kind === 'if') return node.branches.flatMap(inside)
  if (node.kind === 'for') return [node.name, ...inside(node.body)]
  return [...(node.kind === 'while' ? inside(node.condition) : []), ...inside(node.body)]
}

/** How the output of a script begins, where that can be told, and whether it is one word. */
export function outputOf({ items }: Script): { start: string; plain: boolean } {
  const [item] = items
  if (items.length !== 1 || item?.node.kind !== 'simple') return { start: '', plain: false }
  const words = item.node.words.map(wordText)
  const text = words.includes('') || words.some((word) => /\s/.test(word)) ? '' : words.join(' ')
  // What git says of its words, where it is told to say so there, has none that begins with `-`.
  if (/^git (merge-base( [\w./~^][\w./~^-]*){2}|rev-parse( --short)? [A-Z_]+)$/.test(text))
    return { start: NO_OPTION, plain: true }
  const isPath =
    /^(pwd|git rev-parse --(show-toplevel|git-dir|absolute-git-dir|git-common-dir))$/.test(text)
  return { start: isPath ? NO_OPTION : '', plain: false }
}

/** Whether a word is written as this, without quotes. */
export function isPlainly(word: Word | undefined, text: string): boolean {
  return (
    wordText(word) === text &&
    word?.every((part) => part.kind === 'text' && part.how === 'plain') === true
  )
}

/** A word as it is written, where nothing else can become of it; else an empty text. */
export function wordText(word: Word | undefined): string {
  const parts = (word ?? []).map((part) =>
    part.kind === 'text' && part.how !== 'escaped' ? part.text : undefined,
  )
  return parts.includes(undefined) ? '' : parts.join('')
}

/** The words of a command that is given nothing else, each as it is written; else undefined. */
export function literalWords({ sets, words, inputs }: Simple): string[] | undefined {
  const texts = words.map(wordText)
  return sets.length + inputs.length > 0 || texts.includes('') ? undefined : texts
}
