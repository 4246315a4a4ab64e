import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '../../harness/poll.ts'
import type { Case } from '../cases.ts'
import type { Round } from '../round.ts'
import type { Stage } from '../stage.ts'

/** A session between turns and in the middle of one. */
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
  { name: 'busy in a long tool call', doorbells: ['native', 'tmux'], run: busy, from: 'the end of the call' },
  { name: 'two senders at the same moment', doorbells: ['native', 'tmux'], run: twoSenders },
  {
    name: 'read before its ring',
    doorbells: ['native', 'tmux'],
    start: settle,
    run: readBefore,
    from: 'the next message',
  },
  { name: 'turn interrupted with Escape', doorbells: ['native', 'tmux'], run: interrupted },
]

async function settle(stage: Stage): Promise<void> {
  await stage.launch()
  await stage.settled()
}

async function busy(round: Round): Promise<void> {
  const { stage, n } = round
  const file = await startWork(stage, `go-${n}`)
  const id = await round.send()
  await heldBack(stage, id, /busy/)
  round.unharmed(round.rings().length === 0, 'a ring came into the middle of a tool call')
  round.free()
  await endWork(stage, file)
}

async function twoSenders(round: Round): Promise<void> {
  await Promise.all([round.send({ from: 'backend' }), round.send({ from: 'ops' })])
}

/** The first message is read by hand before a doorbell can ring for it; the second shows that the doorbell is well. */
async function readBefore(round: Round): Promise<void> {
  const { stage } = round
  const pane = await stage.pane()
  if (stage.choice === 'tmux') await stage.world.tmux.tmux('copy-mode', '-t', pane.id)
  const first = await round.send()
  if (stage.choice === 'tmux') await stage.waits(/copy mode/)
  const shown = await stage.chat(['inbox'], { AGENT_CHAT_NAME: 'frontend' })
  round.unharmed(shown.includes(first), 'the message was not there to be read by hand')
  // On a machine that is slow enough the bell is faster than the reader: then it rang rightly.
  if (await isRung(stage, first)) round.expectRings(2)
  else round.expectNoRing(first)
  if (stage.choice === 'tmux') await stage.world.tmux.tmux('send-keys', '-t', pane.id, '-X', 'cancel')
  await round.send()
}

/** No hook tells that the user interrupted a turn. Every second turn had not said a word yet. */
async function interrupted(round: Round): Promise<void> {
  const { stage, n } = round
  const pane = await stage.pane()
  const silent = n % 2 === 0
  await pane.submit(silent ? `think it over, ${n}` : `take your time, ${n}`)
  await pane.waitFor(silent ? /esc to interrupt/ : /Well then\.[\s\S]*esc to interrupt/)
  await pane.key('Escape')
  await pane.waitFor((screen) => !/esc to interrupt/.test(screen))
  // The prompt of a turn that had said nothing comes back as a draft, which is for its owner to send or to delete.
  if (silent) await pane.waitFor(/❯\sthink it over/)
  await emptyBox(stage)
  await round.send()
}

/** Removes what stands in the input box, as its owner would. */
export async function emptyBox(stage: Stage, name?: string): Promise<void> {
  const pane = await stage.pane(name)
  const box = async () => /^❯\s?(.*)$/m.exec((await pane.screen()).split('\n').slice(-8).join('\n'))?.[1]?.trim()
  if (await box()) await pane.key('C-u')
  await eventually('the box to be empty', async () => (await box()) === '', { state: () => pane.screen() })
}

/** Keeps the agent in a tool call until `endWork`. */
export async function startWork(stage: Stage, file: string): Promise<string> {
  const pane = await stage.pane()
  await pane.submit(`wait in a shell for ${file}`)
  await eventually('the tool to run', () => existsSync(join(stage.world.cwd, `${file}.started`)))
  return file
}

export async function endWork(stage: Stage, file: string): Promise<void> {
  await writeFile(join(stage.world.cwd, file), '')
}

/** Waits until the doorbell has done what it can for a message: rung, where that is native, or else begun to wait. */
export async function heldBack(stage: Stage, id: string, why: RegExp): Promise<void> {
  if (stage.choice === 'tmux') await stage.waits(why)
  else await eventually('the native bell to have rung', () => isRung(stage, id))
}

async function isRung(stage: Stage, id: string): Promise<boolean> {
  return (await stage.events('rung')).some(({ ids }) => (ids as string[]).includes(id))
}
