import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGES = join(import.meta.dirname, '..', '..', 'docs', 'evidence')

/**
 * Puts a summary between the two markers of its part of a page, and leaves the rest of the page as it is.
 * @param {string} summary @param {string} page @param {string} part
 */
export function writePage(summary, page = 'soak', part = 'soak') {
  const [begin, end] = [`<!-- ${part}: begin -->`, `<!-- ${part}: end -->`]
  const path = join(PAGES, `${page}.md`)
  const [before, rest] = readFileSync(path, 'utf8').split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${path} has no ${begin} … ${end}`)
  writeFileSync(path, `${before}${begin}\n${summary}\n${end}${after}`)
}
