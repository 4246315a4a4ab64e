import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'evidence', 'soak.md')
const BEGIN = '<!-- soak: begin -->'
const END = '<!-- soak: end -->'

/**
 * Puts a summary between the two markers of its page, and leaves the rest of the page as it is.
 * @param {string} summary
 */
export function writePage(summary) {
  const [before, rest] = readFileSync(PAGE, 'utf8').split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${PAGE} has no ${BEGIN} … ${END}`)
  writeFileSync(PAGE, `${before}${BEGIN}\n${summary}\n${END}${after}`)
}
