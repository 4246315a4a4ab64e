import { eventually } from '../../harness/poll.ts'
import { hears } from '../../harness/request.ts'
import type { Case } from '../cases.ts'
import { bash, standardRule } from '../model.ts'
import { ROOM } from '../plugin.ts'
import type { Round } from '../round.ts'
import { boxOf, emptyBox } from './plain.ts'
import { sendIntoTurn, withWitness } from './turns.ts'

/** The user interrupts a turn, before or after the message. */
export const escapeCases: readonly Case[] = [
  { name: 'turn interrupted with Escape', doorbells: ['native', 'tmux'], run: interrupted },
  ROOM
    ? {
        name: 'a message, then Escape: the room tells',
        doorbells: ['native'],
        start: withWitness,
        run: thenInterrupted,
        from: 'Escape',
      }
    : {
        name: 'a message, then Escape: the next prompt tells',
        doorbells: ['native'],
        start: withWitness,
        run: toldByPrompt,
        from: 'the prompt',
      },
  {
    name: 'a message, then Escape: tmux',
    doorbells: ['tmux', 'auto'],
    run: thenInterrupted,
    from: 'Escape',
  },
]

/** No hook tells that the user interrupted a turn. Every second turn had not said a word yet. */
async function interrupted(round: Round): Promise<void> {
  const { stage, n } = round
  const pane = await stage.pane()
  const silent = n % 2 === 0
  if (silent) {
    await pane.submit(`think it over, ${n}`)
    await pane.waitFor(/esc to interrupt/)
  } else await beginToTalk(round)
  await pane.key('Escape')
  await pane.waitFor((screen) => !/esc to interrupt/.test(screen))
  // The prompt of a turn that had said nothing comes back as a draft, which is for its owner to
  // send or to delete.
  if (silent)
    await eventually('the draft', async () => (await boxOf(stage))?.startsWith('think it over'))
  await emptyBox(stage)
  await round.send()
}

/**
 * Nothing tells that the turn is over, so nothing rings; what is unread is told with the next words
 * of the user.
 */
async function toldByPrompt(round: Round): Promise<void> {
  const { stage } = round
  await interruptTurn(round)
  stage.rule = (request) =>
    hears(request, '1 message is unread from @backend')
      ? bash('agent-chat inbox')
      : standardRule(request)
  round.expectRings(1)
  round.free()
  const from = stage.world.api.requests.length
  await (await stage.pane()).submit('where were we?')
  await stage.world.api.waitFor(
    'what is unread',
    (one) => hears(one, '1 message is unread from @backend'),
    { from },
  )
}

/** The screen tells the watcher that the turn is over. */
async function thenInterrupted(round: Round): Promise<void> {
  await interruptTurn(round)
  round.free()
}

/** A turn in which a message came and was left alone is interrupted. */
async function interruptTurn(round: Round): Promise<void> {
  const { stage } = round
  const pane = await stage.pane()
  await beginToTalk(round)
  await sendIntoTurn(round)
  await pane.key('Escape')
  await pane.waitFor((screen) => !/esc to interrupt/.test(screen))
  await emptyBox(stage)
}

/** A turn whose first words stand on the screen. Those of the one before stand there too. */
async function beginToTalk({ stage, n }: Round): Promise<void> {
  const pane = await stage.pane()
  await pane.submit(`take your time, ${n}`)
  await pane.waitFor(
    new RegExp(`take your time, ${n}\\s[\\s\\S]*Well then\\.[\\s\\S]*esc to interrupt`),
  )
}
