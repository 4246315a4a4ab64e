import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../harness/poll.ts'
import type { Case } from '../cases.ts'
import type { Round } from '../round.ts'
import { heldBack } from './plain.ts'
import { sendIntoTurn, withWitness } from './turns.ts'

/** A permission dialog is open when the message comes. */
export const dialogCases: readonly Case[] = [
  {
    name: 'permission dialog open',
    doorbells: ['native', 'tmux'],
    start: withWitness,
    run: dialogAllowed,
    from: 'the answer',
  },
  {
    name: 'permission dialog open, urgent',
    doorbells: ['native'],
    run: dialogAllowedUrgent,
    from: 'the answer',
  },
  {
    name: 'permission dialog, refused with Escape',
    doorbells: ['tmux'],
    run: dialogRefused,
    from: 'the answer',
  },
  {
    name: 'permission dialog, refused with Escape, urgent',
    doorbells: ['native'],
    run: dialogRefusedUrgent,
    from: 'the answer',
  },
]

async function openDialog(round: Round, send: (round: Round) => Promise<unknown>): Promise<string> {
  const { stage, n } = round
  const pane = await stage.pane()
  const file = join(stage.world.cwd, `made-${n}`)
  await pane.submit(`make the file made-${n}`)
  await pane.waitFor(/Do you want/)
  await eventually(
    'the hook to tell of it',
    async () => (await stage.state())?.activity === 'asking',
  )
  await send(round)
  const screen = await pane.screen()
  round.unharmed(
    /Do you want/.test(screen) && /❯\s1\. Yes/.test(screen),
    'the dialog was closed or changed',
  )
  round.unharmed(!existsSync(file), 'the dialog was answered')
  const heard = round.rings().some(({ name }) => name === 'frontend')
  round.unharmed(!heard, 'a ring came past an open dialog')
  return file
}

/** The client keeps the ring behind the dialog. */
async function sendUrgent(round: Round): Promise<void> {
  await heldBack(round.stage, await round.send({ as: 'urgent' }), /dialog|input box/)
}

async function dialogAllowed(round: Round): Promise<void> {
  await allow(round, sendIntoTurn)
  const ring = await eventually('the ring', () =>
    round.rings().find(({ name }) => name === 'frontend'),
  )
  round.unharmed(!ring.inTurn, 'the ring came into the turn')
}

async function dialogAllowedUrgent(round: Round): Promise<void> {
  await allow(round, sendUrgent)
}

async function allow(round: Round, send: (round: Round) => Promise<unknown>): Promise<void> {
  const file = await openDialog(round, send)
  await answerDialog(round, 'Enter')
  await eventually('the tool to run', () => existsSync(file))
}

async function dialogRefused(round: Round): Promise<void> {
  await refuse(round, sendIntoTurn)
}

async function dialogRefusedUrgent(round: Round): Promise<void> {
  await refuse(round, sendUrgent)
}

async function refuse(round: Round, send: (round: Round) => Promise<unknown>): Promise<void> {
  const file = await openDialog(round, send)
  await answerDialog(round, 'Escape')
  round.unharmed(!existsSync(file), 'the dialog was answered')
}

/** A dialog that has just opened takes no keys for a moment. */
async function answerDialog(round: Round, key: string): Promise<void> {
  const pane = await round.stage.pane()
  const closed = () =>
    pane
      .waitFor((screen) => !/Do you want/.test(screen), 1000)
      .then(
        () => true,
        () => false,
      )
  await eventually('the dialog to close', async () => {
    round.free()
    await pane.key(key)
    return closed()
  })
}
