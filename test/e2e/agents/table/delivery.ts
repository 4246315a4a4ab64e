import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../harness/poll.ts'
import { printed } from '../cases.ts'
import { CLIENTS, type ClientName } from '../clients.ts'
import type { Asked } from '../responses.ts'
import {
  type Case,
  delivered,
  isWhole,
  NotBegun,
  over,
  rung,
  type Stage,
  say,
  tell,
  waits,
} from './stage.ts'

/** One message, while the session does something. */
type Delivery = {
  name: string
  /** What the session is doing as the message is sent. */
  before: (stage: Stage) => Promise<unknown>
  /** What a person does then, if the message has to wait for it; the wake counts from there. */
  free?: (stage: Stage) => Promise<unknown>
  /** Whether all is as it was: before that, and at the end. */
  unharmed: (stage: Stage, heard?: Asked) => Promise<boolean>
  /** What a client that is woken natively need not wait for is ended behind the message. */
  after?: (stage: Stage) => Promise<unknown>
}

const DRAFT = 'unsent words'

const shows = async ({ bob }: Stage, what: RegExp) => what.test(await bob.screen())
const asked = ({ world, n }: Stage) => join(world.cwd, `asked-${n}`)

async function clear({ bob }: Stage): Promise<void> {
  await bob.key(...[...DRAFT].map(() => 'BSpace'))
  await bob.waitFor((screen) => !screen.includes(DRAFT))
}

const ask = (stage: Stage) =>
  say(stage, `ASK ${stage.n}`).then(() => stage.bob.waitFor(stage.world.client.dialog))

const slow = (stage: Stage, word = 'SLOW') =>
  say(stage, `${word} ${stage.n}`).then(() =>
    stage.bob.waitFor(new RegExp(`one-${stage.n} two-${stage.n}`)),
  )

/** A person presses Escape, and again where that is asked for or the turn has not ended. */
async function interrupt({ bob, world }: Stage): Promise<void> {
  const before = world.model.cut()
  const isCut = () => world.model.cut() > before
  const isAsked = async () => isCut() || /esc again/.test(await bob.screen())
  await eventually('the turn to be interrupted', async () => {
    for (const answered of [isAsked, isCut]) {
      if (isCut()) break
      await bob.key('Escape')
      await eventually('an answer to Escape', answered, { timeoutMs: 1000 }).catch(() => false)
    }
    return isCut()
  })
}

const gone = ({ bob, world }: Stage) => bob.waitFor((screen) => !world.client.dialog.test(screen))

const untouched = async (stage: Stage, heard?: Asked) =>
  heard !== undefined ||
  ((await shows(stage, stage.world.client.dialog)) && !existsSync(asked(stage)))

const DELIVERIES: Delivery[] = [
  {
    name: 'idle, nothing has come for a while',
    before: ({ world }) =>
      eventually('the watcher to rest', () =>
        existsSync(join(world.chatHome, 'pids', '@watcher.rest')),
      ),
    unharmed: async () => true,
  },
  {
    name: 'idle, just after a message',
    before: async (stage) => {
      const { bob, world } = stage
      if (world.model.asked.length > 0) return bob.waitFor(world.client.ready)
      await tell(stage, 'message 0.')
      await world.model.waitFor('message 0.', printed(/message 0\./))
      return over(stage)
    },
    unharmed: async () => true,
  },
  {
    name: 'an answer is being streamed',
    before: (stage) => slow(stage),
    unharmed: async ({ n }, heard) => heard === undefined || isWhole(heard, n),
  },
  {
    name: 'a draft in the box',
    before: ({ bob }) => bob.type(DRAFT).then(() => bob.waitFor((text) => text.includes(DRAFT))),
    free: clear,
    unharmed: async (stage, heard) =>
      (heard !== undefined && !stage.world.client.native) ||
      ((await shows(stage, new RegExp(DRAFT))) &&
        !stage.world.model.asked.some(({ prompt }) => prompt.includes(DRAFT))),
    after: clear,
  },
  {
    name: 'a dialog is open, then refused with Escape',
    before: ask,
    free: async (stage) => {
      await stage.bob.key('Escape')
      await gone(stage)
      const { refusal, ready } = stage.world.client
      if (!refusal) return
      const next = await stage.bob.waitFor((text) => refusal.test(text) || ready.test(text))
      if (refusal.test(next)) await stage.bob.key('Enter')
    },
    unharmed: async (stage, heard) => (await untouched(stage, heard)) && !existsSync(asked(stage)),
  },
  {
    name: 'a dialog is open, then answered with yes',
    before: ask,
    free: async (stage) => {
      await stage.bob.key('Enter')
      await eventually('the command to run', () => existsSync(asked(stage)))
    },
    unharmed: untouched,
  },
  {
    name: 'a list is open, then closed with Escape',
    before: async (stage) => {
      const { open, offer, shows: list } = stage.world.client.picker
      if (offer) {
        await stage.bob.type(open)
        await stage.bob.waitFor(offer)
        await stage.bob.key('Enter')
      } else await say(stage, open)
      await stage.bob.waitFor(list)
    },
    free: async ({ bob, world }) => {
      await bob.key('Escape')
      await bob.waitFor((screen) => !world.client.picker.shows.test(screen))
    },
    unharmed: async (stage, heard) =>
      (heard !== undefined && !stage.world.client.native) ||
      shows(stage, stage.world.client.picker.shows),
    after: async ({ bob, world }) => {
      await bob.key('Escape')
      await bob.waitFor((screen) => !world.client.picker.shows.test(screen))
    },
  },
  {
    name: 'Escape in a turn, then a message',
    before: async (stage) => {
      await slow(stage, 'SLOWER')
      await interrupt(stage)
    },
    unharmed: async ({ world, n }) => !world.model.asked.some((one) => isWhole(one, n)),
  },
]

const NAMES = Object.keys(CLIENTS) as ClientName[]
const ASKING = NAMES.filter((name) => !('ours' in CLIENTS[name]))

export const DELIVERY: Case[] = DELIVERIES.map(({ name, before, free, unharmed, after }) => ({
  name,
  ...(before === ask ? { only: ASKING } : {}),
  play: async (stage, tally) => {
    await before(stage).catch((error: Error) => {
      throw new NotBegun(error.message)
    })
    const from = stage.world.model.asked.length
    const text = `message ${stage.n}.`
    let since = await tell(stage, text)
    const frees = after && stage.world.client.native ? undefined : free
    if (frees) {
      await waits(stage)
      const early = stage.world.model.asked.slice(from).some(rung)
      if (early || !(await unharmed(stage))) {
        tally.harmed += 1
        console.error(await stage.bob.screen())
      }
      since = Date.now()
      await frees(stage)
    }
    const read = await delivered(stage, { text, since, from }, tally)
    if (read && !(await unharmed(stage, read))) tally.harmed += 1
    if (!frees) await after?.(stage)
    await over(stage)
  },
}))
