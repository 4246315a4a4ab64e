import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { changeEverything, readEverything } from '../everything.mjs'
import { until, works } from '../process.mjs'
import { logOf, mustEnd, mustRing, startWatcher } from '../watcher.mjs'

/** `nobody`, as whom commands run where this runs as root: root may do everything. */
const NOBODY = 65534

/** A program that does nothing. */
const EMPTY = fileURLToPath(new URL('../empty.cjs', import.meta.url))

/** What of a home may not be written to, or read. */
const PLACES = [
  '.',
  'sessions.json',
  'history.log',
  'messages',
  'inbox',
  'inbox/frontend',
  'inbox/frontend/read',
  'bells/frontend',
  'state',
  'pids',
  'gate',
  'threads',
  'tasks',
  'asks',
]

/** Node itself opens some twenty files before the first line of a program, and a command of ours a few on top. */
const MOST_FILES = 64
const ON_TOP = 9

/** @returns {import('../lab.mjs').Case[]} */
export function limitCases() {
  return [
    {
      name: 'no permission, at each place of the home',
      promise:
        'done, or refused with the reason; what was printed and cannot be marked is shown again; doctor mends the modes',
      again: true,
      run: async (lab, counts) => {
        for (const place of PLACES)
          for (const readable of [true, false])
            await withoutPermission(place, readable, lab, counts)
      },
    },
    {
      name: 'file limit reached (ulimit -n)',
      promise: 'done, or refused with the limit named, from the lowest at which Node runs',
      run: fileLimit,
    },
    ...['instances', 'watches'].map(inotifyCase),
  ]
}

/**
 * @param {string} place
 * @param {boolean} readable
 * @param {import('../lab.mjs').Lab} lab
 * @param {import('../lab.mjs').Counts} counts
 */
async function withoutPermission(place, readable, lab, counts) {
  counts.runs += 1
  chmodSync(lab.directory, 0o755)
  const world = lab.world(process.getuid?.() === 0 ? { uid: NOBODY } : {})
  const when = `${place} ${readable ? 'read-only' : 'unreadable'}`
  await world.open()
  // Makes every directory that a home may have.
  await changeEverything(world)
  const path = join(world.home, place)
  const directory = statSync(path).isDirectory()
  chmodSync(path, readable ? (directory ? 0o500 : 0o400) : 0)
  await changeEverything(world)
  await readEverything(world)
  const root = place === '.'
  // The home itself is for its user to open again, as the error says.
  if (root) chmodSync(path, 0o700)
  else {
    const found = await lab.mend(world, when)
    counts.doctor += found.doctor
    counts.second += found.second
  }
  await world.goOn(when)
  await lab.finish(world, counts, when)
}

/** @type {import('../lab.mjs').Case['run']} */
async function fileLimit(lab, counts) {
  const limited = (/** @type {number} */ files) => [
    'sh',
    '-c',
    `ulimit -n ${files} && exec "$@"`,
    'sh',
  ]
  let least = 3
  while (
    least < MOST_FILES &&
    !works('sh', '-c', `ulimit -n ${least} && exec "$@"`, 'sh', process.execPath, EMPTY)
  )
    least += 1
  for (let files = least; files < least + ON_TOP; files += 1) {
    counts.runs += 1
    const world = lab.world()
    await world.open()
    await world.fine('before', world.send())
    await changeEverything(world, { wrap: limited(files) })
    await readEverything(world, { wrap: limited(files) })
    await world.goOn(`ulimit -n ${files}`)
    await lab.finish(world, counts, `ulimit -n ${files}`)
  }
}

/**
 * A user namespace has limits of its own, so nobody else's are touched.
 * @param {string} what
 * @returns {import('../lab.mjs').Case}
 */
function inotifyCase(what) {
  const none = [
    'unshare',
    '-rU',
    'sh',
    '-c',
    `echo 0 > /proc/sys/user/max_inotify_${what} && exec "$@"`,
    'sh',
  ]
  return {
    name: `inotify limit reached (${what})`,
    promise:
      'what waits looks every few seconds instead, a watcher too, which says so; doctor says how to raise the limit',
    needs: () =>
      works(none[0] ?? '', ...none.slice(1), 'true')
        ? undefined
        : 'no user namespace can be had (unshare -rU)',
    run: async (lab, counts) => {
      counts.runs += 1
      const world = lab.world()
      await world.open()
      await waitWithout(world, none)
      await ringWithout(world, none)
      const doctor = await world.run(['doctor', '--no-ring'], { wrap: none })
      if (!doctor.stdout.includes(`fs.inotify.max_user_${what}`))
        world.wrong.push(`doctor does not name the limit: ${doctor.stdout}`)
      await world.goOn('without inotify')
      await lab.finish(world, counts, 'without inotify')
    },
  }
}

/**
 * An ask whose answer comes, and a send that waits until its message was read.
 * @param {import('../world.mjs').World} world
 * @param {string[]} wrap
 */
async function waitWithout(world, wrap) {
  const asked = world.startSend(
    ['ask', '@frontend', 'BODY', '--as', 'backend', '--timeout', '20'],
    { wrap },
  )
  await until(() => asked.said().stderr.includes('waiting'))
  const [question = ''] = readdirSync(join(world.home, 'messages')).map((file) =>
    file.replace(/\.md$/, ''),
  )
  const answer = world.startSend([
    'send',
    '@backend',
    'BODY',
    '--as',
    'frontend',
    '--reply-to',
    question,
  ])
  await world.fine('the answer', answer.ended)
  await world.fine('an ask without inotify', asked.ended)
  world.noteShown(await asked.ended)
  const waiting = world.startSend(
    ['send', '@frontend', 'BODY', '--as', 'backend', '--wait', 'read', '--timeout', '20'],
    { wrap },
  )
  await until(() => waiting.said().stdout.includes('sent '))
  await world.fine('inbox', world.read())
  await world.fine('a wait without inotify', waiting.ended)
}

/**
 * A watcher rings all the same, and says what it does instead.
 * @param {import('../world.mjs').World} world
 * @param {string[]} wrap
 */
async function ringWithout(world, wrap) {
  const watcher = await startWatcher(world, wrap)
  await mustRing(world, watcher)
  if (!logOf(world).includes('file events are not available'))
    world.wrong.push(`it does not say so: ${logOf(world)}`)
  watcher.child.kill('SIGTERM')
  await mustEnd(world, watcher, 'it was told to end')
}
