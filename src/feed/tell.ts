import { panesShown, showInClients } from '../doorbell/human/clients.ts'
import { findWays, type HumanPorts } from '../doorbell/human/ways.ts'
import type { SessionRow } from '../session/sessionRows.ts'
import { notify } from '../system/desktop.ts'
import { lineOf, type Need, needRow } from './need.ts'

/** What is new is gathered for so long: what is answered meanwhile is not told. In milliseconds. */
const GATHER_MS = 10_000

/** What no message tells of: a question, a decision and a held chain come with one. */
const TOLD: Need['type'][] = ['permission', 'trust', 'asks', 'failed', 'limited']

/**
 * Tells the person of what is new on the list, once for all that comes within 10 s, by a line in
 * tmux or by the desktop. `known`: the keys that were on it before. Gives whether something waits
 * to be told.
 */
export function createTeller(ports: HumanPorts) {
  const waiting = new Set<string>()
  let due = 0
  return async (needs: Need[], known: string[], rows: SessionRow[]): Promise<boolean> => {
    const now = ports.bus.clock.now()
    for (const { key, type } of needs)
      if (TOLD.includes(type) && !known.includes(key)) {
        if (waiting.size === 0) due = now + GATHER_MS
        waiting.add(key)
      }
    for (const key of waiting) if (!needs.some((need) => need.key === key)) waiting.delete(key)
    if (waiting.size === 0 || now < due) return waiting.size > 0
    const told = needs.filter(({ key }) => waiting.has(key))
    waiting.clear()
    await tell(await elsewhere(told, rows, ports), ports)
    return false
  }
}

/** Those whose pane is not before the person now. */
async function elsewhere(needs: Need[], rows: SessionRow[], { tmux }: HumanPorts): Promise<Need[]> {
  const places = new Map(rows.map((row) => [row.name, row]))
  const sockets = new Set(rows.flatMap(({ tmux_socket: socket }) => socket ?? []))
  const shown = await panesShown(tmux, [...sockets])
  return needs.filter((need) => {
    const { pane, tmux_socket: socket } = ('name' in need && places.get(need.name)) || {}
    return !shown.some((one) => one.pane === pane && one.socket === socket)
  })
}

/** A line in tmux where somebody looks at it, else a notification of the desktop. */
async function tell(needs: Need[], ports: HumanPorts): Promise<void> {
  if (needs.length === 0) return
  const { clients, desktop } = await findWays(ports)
  const text = lineOf(needs.map(needRow))
  if (clients.length > 0) await showInClients(ports.tmux, clients, text)
  else if (desktop) notify(text, ports.env)
}
