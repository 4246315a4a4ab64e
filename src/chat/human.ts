import { record } from '../bus/history.ts'
import { CodedError } from '../errors.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { askHere } from '../system/askHere.ts'
import { whyNoneCounts } from '../trust/human/answers.ts'
import { type Person, type PersonPorts, personHere } from '../trust/human/person.ts'
import { areRepeats, noteRepeats, type Repeat } from '../trust/human/repeats.ts'
import { rightOf, type Verb } from '../trust/human/rights.ts'
import { whoMaybe } from './identity.ts'

const IN_A_TERMINAL = 'open a new window of your terminal, and type it there'

/**
 * Lets a command pass from where it may be given: see the table in `rights.ts`. `repeats`: what it
 * would start, for a command that may be repeated without you while that stays the same. Asks [y/N]
 * where only a program started it at your terminal. Throws `GATE_REFUSED`.
 */
export function requireHuman(verb: Verb, ports: PersonPorts, repeats?: Repeat[]): void {
  const person = isPlace(verb) ? placeOf(ports) : personHere(ports)
  const right = rightOf(verb, person)
  if (right === 'no') throw refused(verb, person, ports)
  if (right === 'repeat' && !(repeats && areRepeats(ports.bus(), repeats)))
    throw refused(verb, person, ports, repeats !== undefined)
  if (right === 'asks' && !askHere(`${named(verb)}: do you want this?`))
    throw new CodedError('GATE_REFUSED', `${named(verb)} was not confirmed`, {
      hint: `type y at its question, or ${IN_A_TERMINAL}`,
    })
  if (person.is === 'you' && repeats) noteRepeats(ports.bus(), repeats)
}

/** Lets an answer to a decision pass where it counts. Throws `GATE_REFUSED`. */
export function requireCounting(decision: Message, ports: PersonPorts): void {
  requireHuman('answer to a decision', ports)
  const why = whyNoneCounts(ports.bus(), decision, ports.env)
  if (why === undefined) return
  throw new CodedError('GATE_REFUSED', `an answer to this decision does not count: ${why}`, {
    hint: 'the decision stays open; to answer it, start its worker and your terminal without that setting',
  })
}

/**
 * Notes what you make ready to be started by a unit: it is as if you had started it. `confirmed`:
 * you were asked for this, where only a program started it at your terminal.
 */
export function noteStarted(repeats: Repeat[], ports: PersonPorts, confirmed = false): void {
  const person = personHere(ports)
  if (person.is === 'you' && (confirmed || person.by !== 'popup')) noteRepeats(ports.bus(), repeats)
}

/** What is typed into the human's own surface is their word, so no agent may have it. */
function isPlace(verb: Verb): boolean {
  return verb === 'console' || verb === 'web'
}

/** A place with a session's name is that session's, whatever else is known of it. */
function placeOf(ports: PersonPorts): Person {
  const name = whoMaybe(ports)?.name
  return name === undefined || name === HUMAN
    ? personHere(ports)
    : { is: 'joined', name, own: false, why: `this is the place of @${name}` }
}

function refused(verb: Verb, person: Person, ports: PersonPorts, repeats = false): CodedError {
  const why = person.is === 'you' ? 'this is no place for it' : person.why
  const reason = `${named(verb)} is for your user only, and ${why}`
  if (person.is !== 'you' && person.is !== 'nobody')
    record(ports.bus(), 'refused', {
      ...(person.is === 'joined' ? { name: person.name } : {}),
      ...{ rule: 'human approval', reason, mode: 'enforce' },
    })
  return new CodedError('GATE_REFUSED', reason, { hint: hintFor(verb, person, repeats) })
}

function named(verb: Verb): string {
  return verb === 'answer to a decision' ? `an ${verb}` : `agent-chat ${verb}`
}

function hintFor(verb: Verb, person: Person, repeats: boolean): string {
  if (person.is === 'joined' && isPlace(verb))
    return 'open it in a terminal outside any session; if a session here has ended: agent-chat leave <name>'
  if (person.is === 'joined')
    return 'ask your user: they can tell you to run it, or run it in their own terminal'
  return repeats && person.is === 'nobody'
    ? `${IN_A_TERMINAL}; while what it starts stays the same, it then runs from here as well`
    : IN_A_TERMINAL
}
