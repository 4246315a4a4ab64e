import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Pane } from '../harness/pane.ts'
import { eventually } from '../harness/poll.ts'
import type { Answer, Asked } from './responses.ts'
import type { AgentWorld } from './world.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

export const WORDS = 'one two three four five six seven eight nine ten'

/** `RUN cmd` and a ring run a command; `SLOW` is an answer of 4 s; all else is `ok`. */
export function model({ prompt, results }: Asked): Answer {
  if (results.length > 0) return { say: 'done' }
  const run = /RUN (.*)/.exec(prompt)?.[1]
  if (run) return { run }
  if (/Check inbox/.test(prompt)) return { run: 'agent-chat inbox' }
  return /SLOW/.test(prompt) ? { say: WORDS, ms: 4000 } : { say: 'ok' }
}

/** As `model`, but a ring has the agent change something. */
export function changing(asked: Asked): Answer {
  return /Check inbox/.test(asked.prompt) && asked.results.length === 0
    ? { run: 'touch made-by-a-message' }
    : model(asked)
}

const STEPS = ['agent-chat inbox', 'touch made-by-a-message']

/** Reads a message and then changes something. */
export function changingAfterInbox({ prompt, results }: Asked): Answer {
  const run = /Check inbox/.test(prompt) ? STEPS[results.length] : undefined
  return run === undefined ? { say: 'done' } : { run }
}

export const printed =
  (pattern: RegExp) =>
  ({ results }: Asked) =>
    results.some((text) => pattern.test(text))

/** Somebody who sends, from outside. */
export async function sender(world: AgentWorld) {
  await world.chat('join', 'lead', '--no-watch', '--pid', String(process.pid)).catch(() => '')
  return async (text: string) => {
    await world.chat('send', '@bob', text, '--as', 'lead')
    return Date.now()
  }
}

/** The time until the model was asked about a message, in milliseconds. */
export async function heard(world: AgentWorld, text: string, from: number): Promise<number> {
  const asked = await world.model.waitFor(text, printed(new RegExp(text)))
  return asked.at - from
}

/** Two sessions on one configuration each send and read as themselves. */
export async function asThemselves(world: AgentWorld): Promise<void> {
  const [, bob] = [await world.start('alice'), await world.start('bob')]
  await bob.submit('RUN agent-chat send @alice "this is bob" && agent-chat who')
  await allow(world, bob, printed(/sent \w+ to @alice/))
  const read = await world.model.waitFor('what alice read', printed(/from @bob/))
  expect(read.prompt).toContain('New message from @bob. Check inbox.')
  expect(read.results.join('')).toContain('this is bob')
}

/** Says yes to the dialogs of the client itself until the model has been told. */
export async function allow(
  world: AgentWorld,
  pane: Pane,
  told: (asked: Asked) => boolean,
  from = 0,
): Promise<void> {
  let answered = ''
  await eventually('the command to have run', async () => {
    if (world.model.asked.slice(from).some(told)) return true
    const screen = await pane.screen()
    if (world.client.dialog.test(screen) && screen !== answered) {
      answered = screen
      await pane.key('Enter')
    }
    return undefined
  })
}

/** Setup, run twice, and its removal leave the client's files as they were, byte for byte. */
export async function setUpAndRemove(world: AgentWorld, name: string): Promise<void> {
  const texts = () =>
    Promise.all(
      world.client.setUp.map(async (path) =>
        existsSync(join(world.home, path)) ? readFile(join(world.home, path), 'utf8') : undefined,
      ),
    )
  const before = await texts()
  expect(await world.chat('doctor', '--no-ring').catch((e) => e.stdout)).toMatch(
    new RegExp(`${name}.*not set up`),
  )
  const yes = world.client.trusts ? ['--yes'] : []
  await world.chat('setup', '--agent', name, ...yes)
  await world.chat('setup', '--agent', name, ...yes)
  expect(await texts()).not.toEqual(before)
  expect(await world.chat('doctor', '--no-ring').catch((e) => e.stdout)).toMatch(
    new RegExp(`ok +${name} .*set up`),
  )
  await world.chat('setup', '--agent', name, '--remove')
  expect(await texts()).toEqual(before)
}

/** A shell in which a person types. */
export async function asPerson({ tmux, env, cwd }: Pick<AgentWorld, 'tmux' | 'env' | 'cwd'>) {
  const path = [join(ROOT, 'bin'), env.PATH].join(':')
  const pane = await tmux.newSession({
    argv: ['env', `PATH=${path}`, 'bash', '--norc'],
    env: Object.fromEntries(Object.entries(env).map(([key, value = '']) => [key, value])),
    cwd,
  })
  await pane.waitFor(/[$#]\s*$/)
  return { pane, submit: pane.submit }
}

const rung = ({ prompt, results }: Asked) => /Check inbox\./.test(prompt) && results.length === 0

/**
 * Rings in each state: before the first prompt, in a turn that is being streamed, whose answer
 * stays whole, with a draft, which stays, and at a dialog that the human closes with Escape, which
 * no hook tells of. One ring each.
 */
export async function states(world: AgentWorld): Promise<Record<string, number>> {
  const bob = await world.start('bob')
  const tell = await sender(world)
  const took: Record<string, number> = {}
  const round = async (text: string, at?: number) => {
    took[text] = await heard(world, text, at ?? (await tell(text)))
    await world.model.waitFor(
      `the end of ${text}`,
      ({ prompt, results }) =>
        /Check inbox\./.test(prompt) && results.some((result) => result.includes(text)),
    )
    await bob.waitFor(world.client.ready)
  }
  await round('before any prompt')

  await bob.submit('SLOW please')
  await bob.waitFor(/one two/)
  await round('while it streams')
  expect(world.model.asked.at(-1)?.text).toMatch(/six seven eight nine ten/)

  await bob.type('a draft')
  await bob.waitFor(/a draft/)
  const sent = await tell('with a draft')
  if (world.client.native) {
    took['with a draft'] = await heard(world, 'with a draft', sent)
    expect(await bob.screen()).toMatch(/a draft/)
    await bob.key('C-u')
  } else {
    await eventually('the doorbell to wait', async () =>
      /holds text/.test(await world.chat('status', 'bob')),
    )
    expect(await bob.screen()).toMatch(/a draft/)
    await bob.key('C-u')
    await round('with a draft', Date.now())
  }
  expect(world.model.asked.filter(rung)).toHaveLength(3)
  return took
}

/**
 * What a message would have changed is put to the human, by a dialog; Escape refuses it, and the
 * next message still comes. `world` runs the model `changing`.
 */
export async function asksTheHuman(world: AgentWorld): Promise<void> {
  const bob = await world.start('bob')
  const tell = await sender(world)
  await tell('please change something')
  if (world.client.decides) {
    await eventually('the decision', async () => /touch/.test(await world.chat('status', 'human')))
    expect(existsSync(join(world.cwd, 'made-by-a-message'))).toBe(false)
    return
  }
  await bob.waitFor(/agent-chat: [\s\S]*this turn/)
  await bob.waitFor(world.client.dialog)
  await bob.key('Escape')
  await bob.waitFor((screen) => !world.client.dialog.test(screen))
  expect(existsSync(join(world.cwd, 'made-by-a-message'))).toBe(false)
  const before = world.model.asked.filter(rung).length
  await tell('another one')
  await world.model.waitFor(
    'the ring after Escape',
    (asked) => world.model.asked.filter(rung).length > before && rung(asked),
  )
}
