import { judge } from './judge.ts'
import { literalWords } from './nodes.ts'
import { parse } from './parse.ts'
import type { Place } from './place.ts'
import type { Allows } from './scope.ts'
import { Doubt } from './script.ts'

/**
 * What a shell command does, as far as its text tells: one of our own verbs, plain reading, or
 * anything else.
 */
export type Effect = 'own' | 'reading' | 'changing'

/** `why`: what made it so, in a few words. */
export type Judgement = { effect: Effect; why: string }

/**
 * The effect of a Bash command, in bash, sh and zsh alike. It counts as reading, or as ours, only
 * when all of it is plainly so. What git runs for a repository is that repository's to say; its own
 * is its user's. `allows`: what the human lets pass besides.
 */
export function effectOf(command: string, place: Place, allows?: Allows): Judgement {
  try {
    const found = { own: false }
    const scope = { text: command, place, variables: new Map(), directories: ['.'], inLoop: false }
    judge(parse(command), { ...scope, allows }, found)
    return found.own
      ? { effect: 'own', why: 'agent-chat' }
      : { effect: 'reading', why: 'it only reads' }
  } catch (error) {
    if (error instanceof Doubt) return { effect: 'changing', why: error.message }
    throw error
  }
}

/**
 * Whether a command does nothing but `agent-chat ask`: it ends, and what it wakes for has rules of
 * its own.
 */
export function onlyAsks(command: string): boolean {
  try {
    const [item, ...more] = parse(command).items
    if (more.length > 0 || item?.node.kind !== 'simple' || item.node.sets.length > 0) return false
    const words = item.node.words
      .slice(0, 2)
      .map((word) => word.map((part) => (part.kind === 'text' ? part.text : '?')).join(''))
    return words.join(' ') === 'agent-chat ask'
  } catch (error) {
    if (error instanceof Doubt) return false
    throw error
  }
}

/** The words of a command that is one program with plain words and nothing besides; or undefined. */
export function wordsOf(command: string): string[] | undefined {
  try {
    const [item, ...more] = parse(command).items
    return more.length > 0 || item?.node.kind !== 'simple' ? undefined : literalWords(item.node)
  } catch (error) {
    if (error instanceof Doubt) return undefined
    throw error
  }
}
