import { placeAt } from '../trust/toolGate/place.ts'
import { isHarmless } from './events/tool.ts'

/**
 * Judges a command as in a turn that a message began. The first call of all is mostly in a turn of
 * the human's, where none is read: without this, no compiled code would be kept for it.
 */
export function warmUp(here: string, env: NodeJS.ProcessEnv): void {
  const command = 'cd . && git status --short 2>/dev/null; grep -n \'a\\|b\' "$HOME"/x* | head -3'
  isHarmless({ name: 'Bash', input: { command } }, placeAt(here, here, env), true)
}
