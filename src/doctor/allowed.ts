import type { Bus } from '../bus/bus.ts'
import { plural } from '../message/text.ts'
import type { Check } from '../setup/check.ts'
import { readAllows } from '../trust/allow/file.ts'

/** The commands that the human allows; a file that says anything else allows nothing. */
export function checkAllowed({ home }: Pick<Bus, 'home'>): Check[] {
  const allows = readAllows(home)
  const name = 'allowed'
  if (allows === undefined) {
    const detail = `${home.allowed} is not a list of commands, so that none is allowed`
    return [
      { name, status: 'warning', detail, hint: `repair it, or remove it: rm ${home.allowed}` },
    ]
  }
  if (allows.length === 0) return []
  return [{ name, status: 'ok', detail: plural(allows.length, 'command') }]
}
