import { reasonOf } from '../../system/errno.ts'
import { type Hand, takeInHand } from './hand.ts'
import type { Defined, SupervisePorts } from './ports.ts'
import { readWanted, type Wanted } from './wanted.ts'

/**
 * Where the system tells of nothing, or not of the end of a shell that was killed as well, a look
 * so often must do. In milliseconds.
 */
const LOOK_MS = 30_000

/** Definitions tell of a change themselves; where the system does not, this must do. */
const DEFINED_MS = 5 * 60_000

/** Where no run is due, the clock looks again when something changes, or after an hour. */
const NO_RUN_MS = 60 * 60_000

/** All that the supervisor looks after, each by itself: one whose tmux hangs keeps no other. */
export type Round = {
  /** Begins what is due; gives after how many milliseconds to come again. */
  look: () => number
  /** Something has changed: all is due. */
  changed: () => void
  close: () => Promise<void>
}

/** Something to look at again and again, one look at a time. `look` gives when the next is due. */
type Due = { look: () => Promise<number>; dueAt: number; looking?: Promise<void> | undefined }

type RoundPorts = SupervisePorts & { log: (text: string) => void }

export function openRound(ports: RoundPorts, wake: () => void): Round {
  const { now } = ports.bus().clock
  const hands = new Map<string, { hand: Hand; due: Due }>()
  const clock: Due = { look: async () => (await ports.runDue()) ?? NO_RUN_MS, dueAt: 0 }
  let known: Known = { wanted: {}, defined: new Map(), at: Number.NEGATIVE_INFINITY }
  const all = () => [clock, ...[...hands.values()].map(({ due }) => due)]
  const changed = () => {
    for (const due of all()) due.dueAt = 0
    known.at = Number.NEGATIVE_INFINITY
    wake()
  }
  const take = (name: string) => {
    const hand = takeInHand(name, { ...ports, onMail: changed })
    const look = async () =>
      (await hand.look(known.wanted[name], known.defined.get(name))) ?? LOOK_MS
    hands.set(name, { hand, due: { look, dueAt: 0 } })
  }
  return {
    changed,
    look: () => {
      const wanted = readWanted(ports.bus().home)
      const isOld = now() - known.at >= DEFINED_MS
      known = isOld ? { wanted, ...definedNow(wanted, ports) } : { ...known, wanted }
      for (const name of inHand(known)) if (!hands.has(name)) take(name)
      for (const due of all()) begin(due, ports, wake)
      const next = Math.min(
        ...all().map(({ looking, dueAt }) => (looking ? LOOK_MS : dueAt - now())),
      )
      return Math.max(1, Math.min(LOOK_MS, next))
    },
    close: async () => {
      for (const { hand } of hands.values()) hand.close()
      await Promise.all(all().map(({ looking }) => looking))
    },
  }
}

/** Begins a look that is due. What changes meanwhile makes it due again. */
function begin(due: Due, { bus, log }: RoundPorts, wake: () => void): void {
  const { now } = bus().clock
  if (due.looking || due.dueAt > now()) return
  due.dueAt = Number.POSITIVE_INFINITY
  due.looking = due
    .look()
    .catch((error: unknown) => {
      log(`fault: ${reasonOf(error)}`)
      return LOOK_MS
    })
    .then((ms) => {
      due.looking = undefined
      due.dueAt = Math.min(due.dueAt, now() + ms)
      wake()
    })
}

type Known = { wanted: Wanted; defined: Map<string, Defined>; at: number }

/** The home's definitions, and those of the directories of the wishes. */
function definedNow(wanted: Wanted, { definitions, bus, log }: RoundPorts) {
  const { home, clock } = bus()
  const defined = new Map<string, Defined>()
  for (const cwd of new Set([home.root, ...Object.values(wanted).map((wish) => wish.cwd)])) {
    try {
      for (const one of definitions(cwd)) if (!defined.has(one.name)) defined.set(one.name, one)
    } catch (error) {
      log(`fault: ${reasonOf(error)}`)
    }
  }
  return { defined, at: clock.now() }
}

/** Those that the human has spoken of, and those that a message starts. */
function inHand({ wanted, defined }: Known): string[] {
  const onDemand = [...defined.values()].filter(({ persistent }) => !persistent)
  return [...new Set([...Object.keys(wanted), ...onDemand.map(({ name }) => name)])]
}
