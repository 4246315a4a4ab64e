import type { Command } from 'commander'
import { verbOf, type Word } from '../message/verbs.ts'
import type { Ports } from './ports.ts'

/** Adds a command to the program. */
export type AddVerb = (program: Command, ports: Ports) => void

/**
 * A command of this program with the options that all have, before its own are added. The first
 * example is kept with it, for the hint of bad usage; a backslash at a line's end continues it.
 */
export function addCommand(program: Command, word: Word, example: string): Command {
  const command = program
    .command(word)
    .description(verbOf(word)?.summary ?? '')
    .option('--json', 'print data as JSON')
    .addHelpText('after', `\nExample:\n  ${example.replaceAll('\n', '\n  ')}`)
  return Object.assign(command, { example: example.replaceAll(/ \\\n\s*/g, ' ').split('\n')[0] })
}

/** What `agent-chat help` explains besides commands. */
export const TOPICS = ['exit-codes', 'environment'] as const

export function isTopic(word: string): boolean {
  return TOPICS.some((topic) => topic === word)
}
