import { bashScript } from './bash.ts'
import definitions from './definitions.json'
import { fishScript } from './fish.ts'
import type { Spec } from './spec.ts'
import { zshScript } from './zsh.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

/**
 * The completion script for a shell. `definitions.json` is what `readSpec()` has from the definitions of all commands: to load them all would take as
 * long as three starts. A test holds the two together, and with `-u` makes the file anew.
 */
export function completionScript(shell: keyof typeof SCRIPTS): string {
  return SCRIPTS[shell](definitions as Spec)
}
