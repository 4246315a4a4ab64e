import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keptIn } from './kept.mjs'

/**
 * What is to stay: messages, by what holds them back.
 * @typedef {Record<'unread' | 'task' | 'note' | 'question' | 'young', string>} Stays
 * @typedef {import('./world.mjs').World} World
 */

const HOUR_MS = 3_600_000

/** Everything but what was sent in the last minutes by the clock of the prune, which is an hour ahead. */
const COMMAND = ['prune', '--older-than', '10m']

/** @param {World} world @param {import('./world.mjs').How} how */
export function startPrune(world, how) {
  return world.launch(COMMAND, { ...how, env: { ...how.env, ...world.clockAhead(HOUR_MS) } })
}

/**
 * Makes what a prune removes, a conversation of two messages and a task that is done, and one of each thing that it keeps.
 * @param {World} world
 * @returns {Promise<{ goes: string[], stays: Stays }>}
 */
export async function makePrunable(world) {
  const to = toFrontend(world)
  const first = await to('send')
  const done = await to('task')
  const goes = [first, done, await to('send', '--reply-to', first)]
  const task = await to('task')
  const note = await to('send', '--reply-to', task)
  await world.fine('before', world.read())
  goes.push(await sentId(world, ['done', done, 'BODY', '--as', 'frontend']))
  await world.fine('before', readBackend(world))
  const asked = await world.startSend([
    'ask',
    '@frontend',
    'BODY',
    '--as',
    'backend',
    '--timeout',
    '1',
  ]).ended
  const short = /of @frontend to (\S+)/.exec(asked.stderr)?.[1] ?? 'no question'
  const shown = await world.fine('before', world.startRead(['show', short, '--json']).ended)
  const question = /"id":"([^"]+)"/.exec(shown.stdout)?.[1] ?? 'no question'
  const young = await sentId(
    world,
    ['send', '@frontend', 'BODY', '--as', 'backend'],
    world.clockAhead(HOUR_MS),
  )
  await world.fine('before', world.read())
  // Everyday use afterwards reads the inbox of the other one.
  const unread = await sentId(world, ['send', '@backend', 'BODY', '--as', 'frontend'])
  return { goes, stays: { unread, task, note, question, young } }
}

/**
 * After a prune that came to its end, others cut before it: of what was read nothing is there but what is to stay, and the lists name nothing that nobody
 * tells of. The history may go on telling of what a cut one had removed, and `doctor` lists what the history tells of. What is unread is read now.
 * @param {World} world
 * @param {{ stays: Stays }} made
 * @param {string} when
 */
export async function checkPruned(world, { stays }, when) {
  const kept = keptIn(world.home)
  const is = (/** @type {string} */ id, /** @type {string} */ place) =>
    kept.some((file) => file.id === id && file.place === place)
  for (const [why, id] of Object.entries(stays))
    for (const place of ['messages', why === 'unread' ? 'unread' : 'read'])
      if (!is(id, place))
        world.wrong.push(`${when}: prune removed the ${why} one, ${id}, from ${place}`)
  const may = new Set([
    ...Object.values(stays),
    ...kept.filter(({ place }) => place === 'unread').map(({ id }) => id),
  ])
  for (const { place, id } of kept)
    if (!may.has(id)) world.wrong.push(`${when}: prune left ${id} in ${place}`)
  const told = readFileSync(join(world.home, 'history.log'), 'utf8')
  for (const [list, ids] of listsIn(world.home))
    for (const id of ids)
      if (!may.has(id) && !told.includes(id))
        world.wrong.push(`${when}: prune left ${id} in ${list}`)
  const { task, note } = stays
  for (const [list, id] of Object.entries({
    'tasks/all': task,
    'tasks/open': task,
    [`threads/${task}`]: note,
  }))
    if (!listsIn(world.home).get(list)?.includes(id))
      world.wrong.push(`${when}: prune struck ${id} off ${list}`)
  await world.fine(when, readBackend(world))
}

/**
 * A prune that nothing cuts removes what it is to remove, and all that tells of it.
 * @param {World} world
 * @param {string} when
 */
export async function pruneUncut(world, when) {
  const made = await makePrunable(world)
  await world.fine(when, startPrune(world, {}).ended)
  const told = readFileSync(join(world.home, 'history.log'), 'utf8')
  const listed = [...listsIn(world.home).values()].flat()
  for (const id of made.goes) {
    if (told.includes(`"id":"${id}"`)) world.wrong.push(`${when}: prune left ${id} in the history`)
    if (listed.includes(id)) world.wrong.push(`${when}: prune left ${id} in a list`)
  }
  await checkPruned(world, made, when)
}

/** Sends one message of a kind from backend to frontend, and gives its id. @param {World} world */
function toFrontend(world) {
  return (/** @type {string} */ verb, /** @type {string[]} */ ...options) =>
    sentId(world, [verb, '@frontend', 'BODY', '--as', 'backend', ...options])
}

/** @param {World} world @param {string[]} words @param {NodeJS.ProcessEnv} env */
async function sentId(world, words, env = {}) {
  const { stdout } = await world.fine(
    'before',
    world.startSend([...words, '--json'], { env }).ended,
  )
  return /"id":"([^"]+)"/.exec(stdout)?.[1] ?? 'no id'
}

/** @param {World} world */
function readBackend(world) {
  return world.startRead(['inbox', 'backend']).ended
}

/** The ids in the lists of conversations and of tasks, by the path of the list. @param {string} home */
function listsIn(home) {
  const threads = readdirSync(join(home, 'threads')).map((name) => `threads/${name}`)
  const lists = [...threads, 'tasks/all'].map(
    (path) => /** @type {const} */ ([path, idsIn(join(home, path))]),
  )
  return new Map([...lists, ['tasks/open', readdirSync(join(home, 'tasks/open'))]])
}

/** @param {string} path */
function idsIn(path) {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean)
}
