import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGES = join(import.meta.dirname, '..', '..', 'docs', 'evidence')
const BEGIN = '<!-- soak: begin -->'
const END = '<!-- soak: end -->'

/**
 * Puts a summary between the two markers of its page, and leaves the rest of the page as it is.
 * @param {string} summary @param {string} page
 */
export function writePage(summary, page = 'soak') {
  const path = join(PAGES, `${page}.md`)
  const [before, rest] = readFileSync(path, 'utf8').split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${path} has no ${BEGIN} … ${END}`)
  writeFileSync(path, `${before}${BEGIN}\n${summary}\n${END}${after}`)
}
