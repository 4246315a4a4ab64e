import type { Ports } from '../ports.ts'

const DIM = '\u001b[2m'
const ACCENT = '\u001b[1;33m'
const OFF = '\u001b[0m'

/** Where an id begins a line, and the two lines around a message. */
const IDS = /^[a-z]\d[a-z\d]{3}(?= {2})|^── (?:end )?[a-z]\d[a-z\d]{3} ──$/gm

/**
 * Colours text that is safe to show: ids are dim, and what needs its reader, by the pattern
 * `needsYou`, stands out. Without a terminal, and with `NO_COLOR`, it leaves the text as it is.
 */
export async function painter(
  ports: Pick<Ports, 'env' | 'isTerminal'>,
  needsYou?: RegExp,
): Promise<(text: string) => string> {
  if (!(await hasColour(ports))) return (text) => text
  return (text) => {
    const dim = text.replace(IDS, (id) => `${DIM}${id}${OFF}`)
    return needsYou ? dim.replace(needsYou, (found) => `${ACCENT}${found}${OFF}`) : dim
  }
}

/** Whether standard output is a terminal whose reader wants colours. */
export async function hasColour(ports: Pick<Ports, 'env' | 'isTerminal'>): Promise<boolean> {
  return !ports.env.NO_COLOR && (await ports.isTerminal('stdout'))
}
