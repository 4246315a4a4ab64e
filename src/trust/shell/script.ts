/** A shell command as data: what a shell would make of it, without doing it. */
export type Script = { items: Item[] }

/** One of a list, with whether it runs whatever came before it. */
export type Item = { node: Node; certain: boolean }

export type Node = Simple | { kind: 'pipeline'; parts: Node[] } | Compound

/**
 * Commands in brackets, loops and conditions. `inputs`: what all of them are given to read, by `<`
 * and `<<<`.
 */
export type Compound =
  | { kind: 'group'; body: Script; inputs: Input[] }
  | { kind: 'subshell'; body: Script; inputs: Input[] }
  | { kind: 'for'; name: string; among: Word[]; body: Script; inputs: Input[] }
  | { kind: 'while'; condition: Script; body: Script; inputs: Input[] }
  | { kind: 'if'; branches: Script[]; inputs: Input[] }

/** A program with its words. `inputs`: what it is given to read besides, by `<` and `<<<`. */
export type Simple = {
  kind: 'simple'
  sets: { name: string; value: Word }[]
  words: Word[]
  inputs: Input[]
}

/** What stands behind `<`, the name of a file, or behind `<<<`, a text. */
export type Input = { word: Word; isText: boolean }

/** The parts of a word, side by side. */
export type Word = Part[]

export type Part =
  | { kind: 'text'; text: string; how: 'plain' | 'quoted' | 'escaped' }
  /** What a shell may expand to any number of words, each with the same beginning. */
  | { kind: 'pattern'; sign: string }
  | { kind: 'braces' }
  /** What some shell may split, so that nothing is known of how a word begins. */
  | { kind: 'loose' }
  | { kind: 'home' }
  | { kind: 'number' }
  /** `whole`: the value as it is, and no part of it. */
  | { kind: 'variable'; name: string; whole: boolean; quoted: boolean }
  | { kind: 'output'; script: Script; quoted: boolean }
  /** `<(…)`: a file to read. */
  | { kind: 'stream'; script: Script }

/**
 * Why a command cannot be told to be reading. Thrown inside this folder, and caught by `effectOf`
 * alone.
 */
export class Doubt extends Error {}

export function doubt(why: string): never {
  throw new Doubt(why)
}
