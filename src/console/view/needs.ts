import { truncateToWidth } from '@earendil-works/pi-tui'
import { type Need, needRow, REASONS } from '../../feed/need.ts'
import { typedHere } from '../model/commands.ts'
import { firstDecision, type Room } from '../model/room.ts'
import { wrap } from './layout.ts'
import type { Style } from './style.ts'
import { widthOf } from './width.ts'

/** What wrapping may take of two lines. In columns. */
const MARGIN = 16

/**
 * What needs the human: how many, then each in one or two lines with what answers it, as many as
 * there is room for. The decision that the digits answer is the first of them.
 */
export function needLines(room: Room, columns: number, max: number, style: Style): string[] {
  const { needs } = room
  if (needs.length === 0 || max < 1) return []
  const first = firstDecision(room)
  const ordered = first === undefined ? needs : [first, ...needs.filter((one) => one !== first)]
  const lines: string[] = []
  let count = 0
  for (const need of ordered) {
    const block = needBlock(need, columns, style)
    if (lines.length + block.length > max - 1) break
    lines.push(...block)
    count += 1
  }
  const all = count === needs.length ? '' : ': /who lists all'
  const title = `▶ ${needs.length} ${needs.length === 1 ? 'needs' : 'need'} you${all}`
  return [style.tone('warn', title), ...lines]
}

function needBlock(need: Need, columns: number, style: Style): string[] {
  const lines = wrap(needText(need, columns, style), columns)
  return lines.length <= 2
    ? lines
    : [lines[0] ?? '', truncateToWidth(lines.slice(1).join(' '), columns, '…')]
}

/** The end of what it says is cut, and not what answers it: a digit shows all of a decision. */
function needText(need: Need, columns: number, style: Style): string {
  const { who, what, how } = parts(need, style)
  const answer = truncateToWidth(how, columns, '…')
  const room = 2 * columns - widthOf(answer) - MARGIN
  return `${truncateToWidth(`${who}${what}`, Math.max(MARGIN, room), '…')}  ${answer}`.trimEnd()
}

function parts(need: Need, style: Style): { who: string; what: string; how: string } {
  const { session, reason, what, answer } = needRow(need)
  const how = typedHere(answer)
  if ('options' in need) {
    const { number, from, title, options } = need
    const name = style.tone('warn', number === undefined ? '?' : `#${number}`)
    const choices = options.map((option, at) => `${at + 1} ${option}`).join(' · ')
    const who = `${name} ${style.name(from)}: `
    return { who, what: title, how: number === undefined ? how : choices }
  }
  const asks = style.tone('warn', REASONS[reason])
  return { who: session === null ? '' : `${style.name(session)} ${asks}: `, what, how }
}
