import { type Completable, commonStart, complete } from './complete.ts'

/** One press of Tab after another: the texts to go through, and which one is there now. */
export type Tabs = { from: number; options: string[]; at: number; stands: string }

/** What a press of Tab makes of the text before the cursor, and what it says. */
type Tabbed = { before: string; says: string; tabs: Tabs | undefined }

/** How many choices are named. */
const SHOWN = 8

/**
 * One choice is taken; of several, what they have in common, and with the next press the first of
 * them, then the second. `tabs` is of the press before, if no other key came between.
 */
export function pressTab(before: string, known: Completable, tabs?: Tabs): Tabbed {
  if (tabs && tabs.stands === before && tabs.options.length > 1) return goOn(before, tabs)
  const { from, options } = complete(before, known)
  const [first] = options
  if (first === undefined) return { before, says: '', tabs: undefined }
  if (options.length === 1)
    return { before: before.slice(0, from) + first, says: '', tabs: undefined }
  const [word, common] = [before.slice(from), commonStart(options)]
  const next = common.startsWith(word) ? before.slice(0, from) + common : before
  return { before: next, says: listed(options), tabs: { from, options, at: -1, stands: next } }
}

function goOn(before: string, tabs: Tabs): Tabbed {
  const at = (tabs.at + 1) % tabs.options.length
  const next = before.slice(0, tabs.from) + (tabs.options[at] ?? '')
  return { before: next, says: listed(tabs.options, at), tabs: { ...tabs, at, stands: next } }
}

/** The choice that stands there, and those that come next. */
function listed(options: readonly string[], at = 0): string {
  const shown = options.slice(at, at + SHOWN).map((option) => option.trimEnd())
  const more = options.length - at - shown.length
  return `${shown.join('  ')}${more > 0 ? `  … ${more} more` : ''}`
}
