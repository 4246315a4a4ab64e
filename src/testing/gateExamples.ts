import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Signs that stand in the lists for what a line of them cannot hold. */
const SIGNS: Record<string, string> = { '⏎': '\n', '␍': '\r', '␀': '\0', '␋': '\v', '␣': '\u00a0' }

/** Commands that only read, or are ours, and commands that ask: one a line, in files beside. */
export const READS = linesOf('reads.txt')
export const ASKS = linesOf('asks.txt')

function linesOf(name: string): string[] {
  const text = readFileSync(join(import.meta.dirname, 'gate', name), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => line.replaceAll(/[⏎␍␀␋␣]/g, (sign) => SIGNS[sign] ?? sign))
}
