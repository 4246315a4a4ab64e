import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { numberIn } from './bodies.mjs'
import { groupsOf } from './groups.mjs'

/**
 * Where the messages lie after all was read, and what is wrong with that, one line each: every one belongs into the archive, whole, and into the `read/` of
 * its recipient, and there alone. What is still in an inbox then is stuck: nobody was shown it, though everybody has looked to the end.
 * @param {import('./home.mjs').SoakHome} home @param {import('./load.mjs').Done} done
 */
export function judgePlaces({ root, names }, done) {
  const sent = new Map([...done.sent].map(([number, { id, to }]) => [`${id}.md`, { number, to }]))
  const inInboxes = names.flatMap((name) => filesIn(root, join('inbox', name)))
  const places = [
    ...inInboxes,
    ...names.flatMap((name) => filesIn(root, join('inbox', name, 'read'))),
  ]
  const archived = filesIn(root, 'messages')
  const stuck = inInboxes.map((place) => `stuck: ${place} is still unread`)
  const unknown = [...places, ...archived].filter((place) => !sent.has(fileOf(place)))
  const foundIn = groupsOf(places, fileOf)
  const inArchive = new Set(archived.map(fileOf))
  const lost = [...sent].flatMap(([file, { number, to }]) => [
    ...misplaced(file, to, foundIn.get(file) ?? []),
    ...(inArchive.has(file)
      ? tornIn(join(root, 'messages', file), number)
      : [`lost: ${file} is not in the archive`]),
  ])
  return [...stuck, ...unknown.map((place) => `never sent, or half: ${place}`), ...lost]
}

/** @param {string} file @param {string} to @param {string[]} found */
function misplaced(file, to, found) {
  if (found.length === 1 && found[0]?.startsWith(`inbox/${to}/`)) return []
  return [`lost: ${file} to @${to} is in ${found.length} places: ${found.join(' ')}`]
}

/** @param {string} path @param {number} number */
function tornIn(path, number) {
  const text = readFileSync(path, 'utf8')
  const body = text.slice(text.indexOf('\n---\n', 4) + 5, -1)
  return numberIn(body) === number ? [] : [`torn: ${path}`]
}

/** @param {string} place */
function fileOf(place) {
  return place.slice(place.lastIndexOf('/') + 1)
}

/** The message files in a directory of the home, each as its path below that. What is being written begins with a dot. @param {string} root @param {string} directory */
function filesIn(root, directory) {
  const files = readdirSync(join(root, directory)).filter(
    (file) => file.endsWith('.md') && !file.startsWith('.'),
  )
  return files.map((file) => `${directory}/${file}`)
}
