import { textsIn, wordText } from './nodes.ts'
import type { Scope } from './scope.ts'
import type { Node, Script, Word } from './script.ts'

/** Tests of `find`, and depths, which all leave it to print the paths that it has found. */
const TESTS = /^-(i?name|path|type|maxdepth|mindepth|mtime|size)$/

/**
 * Whether a script prints paths alone that begin as words of it do, so that none is an option:
 * `ls -d src/`, `find src -name x | head -1`. A line that a name breaks may begin with anything,
 * so only what stays in front may be picked.
 */
export function printsPaths({ items }: Script, scope: Scope): boolean {
  const [item, ...more] = items
  if (item === undefined || more.length > 0) return false
  const [first, ...rest] = item.node.kind === 'pipeline' ? item.node.parts : [item.node]
  if (first?.kind !== 'simple' || !rest.every(isHead)) return false
  const [program, ...words] = first.words
  if (wordText(program) === 'find') return findsBelow(words, scope)
  // Without `-d`, it prints what is in a folder; and a folder alone is printed as it is named.
  const [option, ...folders] = words
  const isList = wordText(program) === 'ls' && /^-[1dtrS]*d[1dtrS]*$/.test(wordText(option))
  return isList && folders.every((word) => beginsPlainly(word, scope) && endsInSlash(word))
}

function findsBelow([from, ...tests]: Word[], scope: Scope): boolean {
  const texts = tests.map(wordText)
  return (
    from !== undefined &&
    beginsPlainly(from, scope) &&
    texts.every((text, at) => (at % 2 === 0 ? TESTS.test(text) : /^[^-(!]/.test(text)))
  )
}

function isHead(node: Node): boolean {
  return /^head( -n)?( -?\d+)?$/.test(textsIn(node).join(' '))
}

/** Beginnings of no option, nor of a path that leads to devices. */
const BEGINS = /^(?!.*\.\.)(?:[\w.\0]|\/+(?!(?:dev|proc|sys)\/)[\w-][\w.-]*\/)/is

function beginsPlainly(word: Word, { variables }: Scope): boolean {
  if (word.some((part) => part.kind === 'text' && part.text.includes('..'))) return false
  if (word[0]?.kind === 'home') return true
  let start = ''
  for (const part of word) {
    const isValue = part.kind === 'variable' && part.whole && part.quoted
    const known = isValue ? variables.get(part.name) : undefined
    const text = part.kind === 'text' ? part.text : known?.value
    if (text === undefined) return BEGINS.test(start + (known?.start ?? ''))
    start += text
  }
  return BEGINS.test(`${start}/`)
}

function endsInSlash(word: Word): boolean {
  const last = word.at(-1)
  return last?.kind === 'text' && last.text.endsWith('/')
}
