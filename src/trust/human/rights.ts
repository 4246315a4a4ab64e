import type { Person } from './person.ts'

/**
 * Where a command may come from, in the order of the cells below: a terminal of yours; one whose
 * program started it without a shell that you type into; the room's panel; the page of `web`; an
 * agent in a turn of yours, or of a message's; an agent that never joined; no terminal and no sign
 * of an agent (ssh without -t, cron, an editor); a unit that you installed.
 */
export const PLACES =
  'terminal|popup|panel|page|your turn|message’s turn|never joined|no terminal|unit'.split('|')

/** `asks`: [y/N] there. `repeat`: passes where you gave it before and its definition is the same. */
export type Right = 'yes' | 'no' | 'asks' | 'repeat'

/** Stops something: an agent may do that in your turn alone, and any script of yours may. */
const STOPS = 'yes yes yes yes yes no no yes yes'
/** Opens something. */
const OPENS = 'yes asks yes yes yes no no no no'
/** Opens what you opened before. */
const REPEATS = 'yes asks yes yes yes no no repeat repeat'
/** A place of yours. */
const PLACE = 'yes yes yes yes no no no yes yes'

/** Who may give which command, a cell for each of `PLACES`. docs/guardrails.md has this table. */
const TABLE = {
  pause: 'yes yes yes yes yes no yes yes yes',
  stop: STOPS,
  down: STOPS,
  unlink: STOPS,
  'leave of another': STOPS,
  'schedule remove': STOPS,
  prune: STOPS,
  'rename of another': STOPS,
  approve: OPENS,
  unpause: OPENS,
  release: OPENS,
  schedule: OPENS,
  'schedule run': OPENS,
  'agents allow': OPENS,
  bridge: OPENS,
  'link --allow': OPENS,
  allow: 'yes asks yes yes no no no no no',
  resume: 'yes asks yes yes no no no no no',
  'start --team': 'yes asks yes yes no no no no no',
  'claim --take': 'yes asks yes yes no no no no no',
  'answer to a decision': 'yes asks yes yes no no no no no',
  up: REPEATS,
  restart: REPEATS,
  link: REPEATS,
  'bridge run': REPEATS,
  console: PLACE,
  web: PLACE,
} as const

export type Verb = keyof typeof TABLE
export const VERBS_OF_YOURS = Object.keys(TABLE) as Verb[]

/** What a command may do that comes from the place with this number. */
export function rightsOf(verb: Verb): Right[] {
  return TABLE[verb].split(' ') as Right[]
}

/** What this person may do. */
export function rightOf(verb: Verb, person: Person): Right {
  return rightsOf(verb)[placeOf(person)] ?? 'no'
}

function placeOf(person: Person): number {
  switch (person.is) {
    case 'you':
      return { terminal: 0, popup: 1, panel: 2, web: 3 }[person.by]
    case 'joined':
      return person.own ? 4 : 5
    case 'agent':
      return 6
    case 'nobody':
      return person.unit ? 8 : 7
  }
}
