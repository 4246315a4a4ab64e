import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Pane } from '../harness/pane.ts'
import { eventually } from '../harness/poll.ts'
import type { Answer, Asked } from './responses.ts'
import type { AgentWorld } from './world.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

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
