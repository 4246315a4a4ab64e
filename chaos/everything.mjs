import { messageIds } from './steps.mjs'

/** What only reads: it works wherever the files can be read. */
const READING = [
  ['inbox', 'frontend', '--peek'],
  ['inbox', 'frontend', '--count'],
  ['who'],
  ['history'],
  ['tasks'],
  ['stats'],
]

/**
 * Runs what changes a home, each command once, with whatever is in its way: it may fail, and then says what to do.
 * @param {import('./world.mjs').World} world
 * @param {import('./world.mjs').How} how
 */
export async function changeEverything(world, how = {}) {
  const send = (/** @type {string[]} */ ...words) =>
    world.startSend([...words, '--as', 'backend'], how).ended
  await send('send', '@frontend', 'BODY')
  await send('send', '@frontend', 'BODY', '--urgent')
  await send('send', '@frontend', 'BODY', '--reply-to', oneOf(world.home))
  await send('task', '@frontend', 'BODY')
  await send('ask', '@frontend', 'BODY', '--timeout', '1')
  await world.run(['join', 'docs', '--no-watch'], how)
  await world.read(how)
  await world.run(['rename', 'docs', 'papers'], how)
  await world.run(['leave', 'papers'], how)
  await world.run(['search', 'chaos'], how)
}

/** @param {import('./world.mjs').World} world @param {import('./world.mjs').How} how */
export async function readEverything(world, how = {}) {
  const runs = []
  for (const args of [...READING, ['show', oneOf(world.home)]])
    runs.push(await world.run(args, how))
  return runs
}

/** Any message that can be answered. @param {string} home */
function oneOf(home) {
  try {
    return messageIds(home)[0] ?? 'none'
  } catch {
    return 'none'
  }
}
