import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../harness/poll.ts'
import type { Asked } from '../responses.ts'
import { type Case, delivered, isWhole, over, rung, type Stage, tell, waits } from './stage.ts'

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

const ask = ({ bob, world, n }: Stage) =>
  bob.submit(`ASK ${n}`).then(() => bob.waitFor(world.client.dialog))

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
    before: async ({ bob, world }) => bob.waitFor(world.client.ready),
    unharmed: async () => true,
  },
  {
    name: 'an answer is being streamed',
    before: ({ bob, n }) =>
      bob.submit(`SLOW ${n}`).then(() => bob.waitFor(new RegExp(`one-${n} two-${n}`))),
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
    before: ({ bob, world }) =>
      bob.submit(world.client.picker.open).then(() => bob.waitFor(world.client.picker.shows)),
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
    before: async ({ bob, world, n }) => {
      await bob.submit(`SLOW ${n}`)
      await bob.waitFor(new RegExp(`one-${n} two-${n}`))
      for (const key of world.client.interrupt ?? ['Escape']) await bob.key(key)
    },
    unharmed: async ({ world, n }) => !world.model.asked.some((one) => isWhole(one, n)),
  },
]

export const DELIVERY: Case[] = DELIVERIES.map(({ name, before, free, unharmed, after }) => ({
  name,
  play: async (stage, tally) => {
    await before(stage)
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
