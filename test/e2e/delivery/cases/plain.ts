import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shortId } from '../../../../src/message/shortId.ts'
import { eventually } from '../../harness/poll.ts'
import type { Case } from '../cases.ts'
import { isShown } from '../heard.ts'
import type { Round } from '../round.ts'
import type { Stage } from '../stage.ts'

/** A session between turns. */
export const plainCases: readonly Case[] = [
  {
    name: 'idle',
    doorbells: ['native', 'tmux', 'auto'],
    start: settle,
    run: async (round) => void (await round.send()),
  },
  {
    name: 'just started',
    doorbells: ['native', 'tmux', 'auto'],
    run: async (round) => void (await round.send()),
    fresh: true,
  },
  {
    name: 'quiet',
    doorbells: ['native', 'tmux'],
    start: settle,
    run: quiet,
    from: 'the next message',
  },
  { name: 'two senders at the same moment', doorbells: ['native', 'tmux'], run: twoSenders },
  {
    name: 'read before its ring',
    doorbells: ['native', 'tmux'],
    start: settle,
    run: readBefore,
    from: 'the next message',
  },
]

async function settle(stage: Stage): Promise<void> {
  await stage.launch()
  await stage.settled()
}

/** The next message rings alone, and the model finds both. */
async function quiet(round: Round): Promise<void> {
  const { stage } = round
  const first = await round.send({ as: 'quiet' })
  round.expectNoRing(first)
  await round.send()
  await eventually('both to be read', () => isShown(stage.requests(), first))
  round.unharmed(
    round.rings()[0]?.text.startsWith('New message ') === true,
    'the quiet message was rung for',
  )
}

async function twoSenders(round: Round): Promise<void> {
  await Promise.all([round.send({ from: 'backend' }), round.send({ from: 'ops' })])
}

/**
 * The first message is read by hand before a doorbell can ring for it; the second shows that the
 * doorbell is well.
 */
async function readBefore(round: Round): Promise<void> {
  const { stage } = round
  const pane = await stage.pane()
  if (stage.choice === 'tmux') await stage.world.tmux.tmux('copy-mode', '-t', pane.id)
  const first = await round.send()
  if (stage.choice === 'tmux') await stage.waits(/copy mode/)
  const shown = await stage.chat(['inbox'], { AGENT_CHAT_NAME: 'frontend' })
  round.unharmed(shown.includes(shortId(first)), 'the message was not there to be read by hand')
  // On a machine that is slow enough the bell is faster than the reader: then it rang rightly.
  if (await isRung(stage, first)) round.expectRings(2)
  else round.expectNoRing(first)
  if (stage.choice === 'tmux')
    await stage.world.tmux.tmux('send-keys', '-t', pane.id, '-X', 'cancel')
  await round.send()
}

/** Removes what stands in the input box, as its owner would. */
export async function emptyBox(stage: Stage, name?: string): Promise<void> {
  const pane = await stage.pane(name)
  if (await boxOf(stage, name)) await pane.key('C-u')
  const state = () => pane.screen()
  await eventually('the box to be empty', async () => (await boxOf(stage, name)) === '', { state })
}

/** What stands in the first line of the input box; undefined where none is to be seen. */
export async function boxOf(stage: Stage, name?: string): Promise<string | undefined> {
  const screen = await (await stage.pane(name)).screen()
  return /^❯\s?(.*)$/m.exec(screen.split('\n').slice(-8).join('\n'))?.[1]?.trim()
}

/** Keeps the agent in a tool call until `endWork`. */
export async function startWork(stage: Stage, file: string): Promise<string> {
  const pane = await stage.pane()
  await pane.submit(`wait in a shell for ${file}`)
  await workStarted(stage, file)
  return file
}

export async function workStarted(stage: Stage, file: string): Promise<void> {
  await eventually('the tool to run', () => existsSync(join(stage.world.cwd, `${file}.started`)))
}

export async function endWork(stage: Stage, file: string): Promise<void> {
  await writeFile(join(stage.world.cwd, file), '')
}

/**
 * Waits until the doorbell has done what it can for a message that may ring now: rung, where that
 * is native, or else begun to wait.
 */
export async function heldBack(stage: Stage, id: string, why: RegExp): Promise<void> {
  if (stage.choice === 'tmux') await stage.waits(why)
  else await eventually('the native bell to have rung', () => isRung(stage, id))
}

/** Whether a doorbell has rung for this message. */
export async function isRung(stage: Stage, id: string): Promise<boolean> {
  return (await stage.events('rung')).some(({ ids }) => (ids as string[]).includes(id))
}
