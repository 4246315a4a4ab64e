/** The parts of the help, in its order. */
export const GROUPS = [
  'Sessions',
  'Messages',
  'Tasks',
  'Workers',
  'Machines',
  'You',
  'Guardrails',
  'Archive',
  'Setup',
] as const

/** What follows a word in the console, for Tab. */
export type Argument = 'name' | 'id' | 'reply' | 'chain'

/**
 * A word of the command line. `free`: a turn that the human did not begin may use it without
 * asking, because it only reads or has rules of its own. `slash`: the console runs it as `/word`,
 * with these arguments in its help. `needs`: `settings` where it works without a home or makes one,
 * `nothing` where it does not look at the variables either. `hidden`: it works, and neither help nor
 * Tab shows it.
 */
export type Verb = {
  word: string
  group: (typeof GROUPS)[number]
  summary: string
  free?: true
  needs?: 'settings' | 'nothing'
  hidden?: true
  slash?: { usage: string; takes?: Argument }
}
