import { readFileSync, writeFileSync } from 'node:fs'

const BEGIN = '<!-- cases: begin -->'
const END = '<!-- cases: end -->'
const HEAD = '| Claude Code | case | result |\n| --- | --- | --- |'

/**
 * Puts what vitest's JSON report says into the table of cases of a page; rows of other cases and
 * versions stay. All cases of delivery share two rows, one for those that failed.
 * @param {string} page
 * @param {string} version of Claude Code
 * @param {string} report
 */
export function writeCases(page, version, report) {
  const text = readFileSync(page, 'utf8')
  const rows = rowsOf(text)
  for (const { name, assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults)
    for (const { title, ancestorTitles, status } of assertionResults) {
      if (status !== 'passed' && status !== 'failed') continue
      if (name.includes('/delivery/'))
        addDelivery(rows, version, `${ancestorTitles.join(' ')} ${title}`, status)
      else rows.set(`${version} | ${title.replaceAll('|', '/')}`, status)
    }
  const lines = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  const table = [HEAD, ...lines.map(([key, result]) => `| ${key} | ${result} |`)].join('\n')
  const place = new RegExp(`${BEGIN}[\\s\\S]*${END}`)
  writeFileSync(
    page,
    text.replace(place, () => `${BEGIN}\n${table}\n${END}`),
  )
}

/** @param {string} text */
function rowsOf(text) {
  const table = text.slice(text.indexOf(BEGIN), text.indexOf(END))
  const lines = [...table.matchAll(/^\| (\d[^|]*\| [^|]*?) \| ([^|]*) \|$/gm)]
  return new Map(lines.map(([, key = '', result = '']) => [key, result]))
}

/**
 * @param {Map<string, string>} rows
 * @param {string} version
 * @param {string} name
 * @param {string} status
 */
function addDelivery(rows, version, name, status) {
  for (const one of ['passed', 'failed']) {
    const key = `${version} | delivery with the room, ${one}`
    const names = new Set((rows.get(key)?.split(': ')[1] ?? '').split('; ').filter(Boolean))
    names.delete(name)
    if (one === status) names.add(name)
    if (names.size === 0) rows.delete(key)
    else rows.set(key, `${names.size}: ${[...names].sort().join('; ')}`)
  }
}
