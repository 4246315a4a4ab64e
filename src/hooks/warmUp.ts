import { placeAt } from '../gate/place.ts'
import { effectOf } from '../gate/reading.ts'

/**
 * Reads a command as in a turn that a message began. The first call of all is mostly in a turn of
 * the human's, where none is read: without this, no compiled code would be kept for it.
 */
export function warmUp(here: string, env: NodeJS.ProcessEnv): void {
  effectOf(
    'cd . && git status --short 2>/dev/null; grep -n \'a\\|b\' "$HOME"/x* | head -3',
    placeAt(here, here, env),
  )
}
