import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { until } from './process.mjs'
import { messageIds } from './steps.mjs'

/**
 * How a state comes to be in a home in which one message was read and one is unread. `byHand`: doctor only says what to do, and this does it.
 * @typedef {{ make: (world: World) => unknown, byHand?: (world: World) => unknown }} Making
 * @typedef {import('./world.mjs').World} World
 */

/** A process id that nobody has: Linux counts to 4 million at most. */
const NOBODY = 99_999_999
const LONG_AGO = '20260101T000000.000000Z-from-backend'

/** @param {string} step */
const sendCut = (step) => (/** @type {World} */ world) => world.send({ fault: step })

/** @param {string} file @param {string} text */
const put = (file, text) => (/** @type {World} */ world) => {
  mkdirSync(join(world.home, file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(join(world.home, file), text, { mode: 0o600 })
}

/**
 * Every state that `doctor` knows by name, and a way into it.
 * @type {Record<string, Making>}
 */
export const MAKINGS = {
  'wrong-mode': { make: (world) => chmodSync(join(world.home, 'messages'), 0o755) },
  'missing-directory': { make: (world) => rmSync(join(world.home, 'pids'), { recursive: true }) },
  unpublished: { make: sendCut('send:written') },
  'published-twice': { make: sendCut('send:published') },
  undelivered: { make: sendCut('send:indexed') },
  unrecorded: { make: sendCut('send:linked') },
  unrung: {
    make: async (world) => {
      await world.send({ fault: 'send:recorded' })
      // The bell of the message before was rung so short a time ago that it may be this one's.
      rmSync(join(world.home, 'bells/frontend/ring'))
    },
  },
  unarchived: { make: (world) => rmSync(join(world.home, 'messages', `${unreadId(world)}.md`)) },
  'read-unrecorded': { make: (world) => world.read({ fault: 'inbox:moved' }) },
  'no-message': {
    make: put('messages/notes.txt', 'mine'),
    byHand: (world) => rmSync(join(world.home, 'messages/notes.txt')),
  },
  'stale-mark': {
    make: async (world) => {
      await world.run(['send', '@frontend', 'hurry', '--urgent', '--as', 'backend'])
      await world.read({ fault: 'inbox:moved' })
    },
  },
  'stale-ask': {
    make: (world) =>
      world.run(['ask', '@backend', 'why?', '--as', 'frontend'], { fault: 'ask:noted' }),
  },
  unawaited: { make: answerToDead },
  unindexed: { make: (world) => reply(world, (list) => writeFileSync(list, '')) },
  'never-sent': {
    make: (world) =>
      reply(world, (list) => writeFileSync(list, `${readFileSync(list)}${idOfNow()}\n`)),
  },
  'unmarked-task': {
    make: async (world) => {
      await world.startSend(['task', '@frontend', 'BODY', '--as', 'backend']).ended
      const open = join(world.home, 'tasks/open')
      for (const id of readdirSync(open)) rmSync(join(open, id))
    },
  },
  'ended-task': { make: put(`tasks/open/${LONG_AGO}`, '') },
  unnumbered: {
    make: async (world) => {
      await world.run(['escalate', 'which one?', '--as', 'backend'])
      writeFileSync(join(world.home, 'escalations/1'), '')
    },
  },
  'unused-number': { make: put('escalations/7', '') },
  leftover: { make: put(`pids/frontend.pid.${NOBODY}.tmp`, '') },
  'old-search': { make: put('search/corpus', '') },
  'stale-lock': { make: (world) => world.read({ fault: 'inbox:printed' }) },
  'broken-registry': { make: put('sessions.json', '{"backend": {') },
  'half-renamed': {
    make: (world) => world.run(['rename', 'frontend', 'site'], { fault: 'rename:registered' }),
  },
  astray: {
    make: async (world) => {
      const id = unreadId(world)
      await world.run(['rename', 'frontend', 'site'])
      mkdirSync(join(world.home, 'inbox/frontend'), { recursive: true, mode: 0o700 })
      renameSync(
        join(world.home, `inbox/site/${id}.md`),
        join(world.home, `inbox/frontend/${id}.md`),
      )
    },
  },
  'stale-handover': { make: put('pids/frontend.abcdef.launch', '{}') },
  'agent-ended': {
    make: (world) => changeSession(world, { agent: { pid: NOBODY, started: 'x' } }),
  },
  'pane-gone': {
    make: (world) =>
      changeSession(world, { pane: '%99', tmux_socket: join(world.root, 'no-tmux') }),
    byHand: (world) => world.run(['leave', 'frontend']),
  },
  'watcher-killed': { make: put('pids/frontend.pid', `${NOBODY}\nx\n`) },
}

/** An answer came while the one who asked was stopped, who is killed then. @param {World} world */
async function answerToDead(world) {
  const asking = world.launch(['ask', '@backend', 'why?', '--as', 'frontend'])
  await until(() => asking.said().stderr.includes('waiting'))
  asking.child.kill('SIGSTOP')
  const [, question = ''] = /the answer of @backend to (\S+)/.exec(asking.said().stderr) ?? []
  await world.startSend(['send', '@frontend', 'BODY', '--as', 'backend', '--reply-to', question])
    .ended
  asking.kill()
  await asking.ended
}

/** @param {World} world @param {(list: string) => void} change what is done to the list of the conversation */
async function reply(world, change) {
  const [root = ''] = messageIds(world.home)
  await world.startSend(['send', '@frontend', 'BODY', '--as', 'backend', '--reply-to', root]).ended
  change(join(world.home, 'threads', root))
}

/** @param {World} world @param {Record<string, unknown>} fields */
function changeSession(world, fields) {
  const path = join(world.home, 'sessions.json')
  const sessions = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(
    path,
    JSON.stringify({ ...sessions, frontend: { ...sessions.frontend, ...fields } }),
  )
}

/** An id as a sender makes it. */
function idOfNow() {
  return `${new Date().toISOString().slice(0, -1).replaceAll(/[-:]/g, '')}000Z-from-backend`
}

/** @param {World} world */
function unreadId(world) {
  const files = readdirSync(join(world.home, 'inbox/frontend')).filter((file) =>
    file.endsWith('.md'),
  )
  return (files[0] ?? '').replace(/\.md$/, '')
}
