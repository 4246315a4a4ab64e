import { visibleLine } from '../../message/visible.ts'
import type { Check, CheckStatus } from '../../setup/check.ts'
import type { Ports } from '../ports.ts'
import { hasColour } from './paint.ts'

/** Signs in colour on a terminal, words everywhere else and with `NO_COLOR`. */
type CheckStyle = 'signs' | 'words'

const SIGNS: Record<CheckStatus, string> = {
  ok: '\u001b[32m✓\u001b[0m',
  mended: '\u001b[32m✓\u001b[0m',
  warning: '\u001b[33m!\u001b[0m',
  failed: '\u001b[31m✗\u001b[0m',
}

const NAME_WIDTH = 'agent-chat'.length

export async function checkStyle(ports: Pick<Ports, 'env' | 'isTerminal'>): Promise<CheckStyle> {
  return (await hasColour(ports)) ? 'signs' : 'words'
}

/** Prints each check as it comes. */
export function printCheck(ports: Pick<Ports, 'print'>, style: CheckStyle): (check: Check) => void {
  return (check) => ports.print(renderCheck(check, style))
}

/** One line a check, its hint on a line below. */
function renderCheck({ name, status, detail, hint }: Check, style: CheckStyle): string {
  const said = status === 'mended' ? 'fixed' : status
  const word = style === 'signs' ? `${SIGNS[status]} ` : said.padEnd(8)
  const fixed = style === 'signs' && status === 'mended' ? 'fixed: ' : ''
  const indent = ' '.repeat(style === 'signs' ? 4 : 10)
  const below = hint === undefined ? '' : `${indent}${visibleLine(hint)}\n`
  return `${word}${name.padEnd(NAME_WIDTH)}  ${fixed}${visibleLine(detail)}\n${below}`
}
