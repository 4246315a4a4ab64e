import { VERBS } from '../cli/verbs.ts'
import { SLASH_COMMANDS } from './model/commands.ts'

/** The slash commands that there are: those of the room, and those that are commands of this program. */
export function slashWords(): string[] {
  const verbs = new Set(VERBS.map(({ name }) => name))
  return SLASH_COMMANDS.filter(({ argv }) => argv === undefined || verbs.has(argv[0] ?? '')).map(({ word }) => word)
}

/**
 * Loads what the room will run later: an update may replace this program's files while it is open. Each is a file of its own, which whoever runs it
 * finds loaded then.
 */
export async function loadAhead(): Promise<void> {
  const verbs = new Set(slashWords())
  await Promise.all([
    ...VERBS.filter(({ name }) => verbs.has(name)).map(({ load }) => load()),
    import('../bus/archive.ts'),
    import('../bus/escalations.ts'),
    import('../doorbell/human.ts'),
    import('../system/tmux.ts'),
  ])
}
