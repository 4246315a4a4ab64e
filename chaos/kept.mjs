import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { numbersIn } from './body.mjs'

/**
 * A message file: where it stands, the number of the message, and whether it is whole.
 * @typedef {{ id: string, place: string, number: number | undefined, whole: boolean }} Kept
 */

/**
 * Every message file of a home: in the archive, unread, read, or set aside.
 * @param {string} home
 * @returns {Kept[]}
 */
export function keptIn(home) {
  const inboxes = namesIn(join(home, 'inbox'))
  const places = [
    ['messages', join(home, 'messages')],
    ...inboxes.flatMap((name) => [
      ['unread', join(home, 'inbox', name)],
      ['read', join(home, 'inbox', name, 'read')],
      ['bad', join(home, 'inbox', name, 'bad')],
    ]),
  ]
  return places.flatMap(([place = '', path = '']) =>
    namesIn(path)
      .filter((file) => !file.startsWith('.') && file.includes('.md'))
      .map((file) => {
        const text = readFileSync(join(path, file), 'utf8')
        const { whole } = numbersIn(text)
        // What agent-chat itself writes to the human, of messages that it holds back for example, has no number.
        const own = !text.includes('\nchaos ') && /^---\nid: [\s\S]*\n---\n[\s\S]+\n$/.test(text)
        return {
          id: file.replace(/\.md.*$/, ''),
          place,
          number: whole[0],
          whole: (own || whole.length === 1) && place !== 'bad',
        }
      }),
  )
}

/**
 * Files of data that do not parse, and lines of the history that do not.
 * @param {string} home
 */
export function tornFiles(home) {
  const data = ['', 'state', 'gate', 'asks', 'watched'].flatMap((directory) =>
    namesIn(join(home, directory))
      .filter((file) => file.endsWith('.json') && !file.startsWith('.'))
      .map((file) => readFileSync(join(home, directory, file), 'utf8')),
  )
  const history = join(home, 'history.log')
  const lines = existsSync(history) ? readFileSync(history, 'utf8').split('\n').filter(Boolean) : []
  return [...data, ...lines].filter((text) => !parses(text)).length
}

/** @param {string} text */
function parses(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** @param {string} path */
function namesIn(path) {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
