import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ms, ratio, table } from './group.mjs'
import { makeHome } from './home.mjs'
import { runProgram as run } from './process.mjs'
import { checkSameWork } from './sameWork.mjs'
import { inTurn, ratioOf, timesOf } from './turns.mjs'

/**
 * A way to chat: how to send, and to read what came. Each is an argv without its own words.
 * @typedef {{ name: string, home: import('./home.mjs').Home, env: NodeJS.ProcessEnv, send: string[], inbox: string[] }} Way
 */

const [SEND, INBOX] = ['send', 'inbox'].map((name) =>
  fileURLToPath(new URL(`./seed/${name}.sh`, import.meta.url)),
)

/** As many messages as are read at once. */
const INBOXES = [1, 20]

const MOST_ROUNDS = 30

const BODY = 'GET /tasks is ready, with pages of fifty; see docs/api.md'

/**
 * `send` and `inbox` beside the same written in bash, with jq and mv, and no more than that: no archive, no identity, no gate, no doorbell. Both are
 * checked to do the same work first.
 * @param {import('./group.mjs').Plan} plan
 * @returns {Promise<import('./group.mjs').Part>}
 */
export async function seedGroup({ directory, program, rounds, ready, say }) {
  const title = ['### Beside the same in bash', '']
  const missing = whatIsMissing()
  if (missing !== undefined) return { lines: [...title, `Left out: ${missing}.`], checks: [] }
  const homes = await Promise.all(
    ['ours', 'bash', 'synced'].map((name) => makeHome(join(directory, `seed-${name}`), 0, program)),
  )
  const ways = waysOf(homes, program)
  for (const way of ways) checkSameWork(way)
  say('beside bash')
  const bash = { name: 'bash', run: () => run(['bash', '-c', ':'], program.env).ms }
  const times = await inTurn([bash, ...ways.flatMap(cellsOf)], Math.min(rounds, MOST_ROUNDS), {
    ready,
  })
  for (const home of homes) home.close()
  const works = ['send', ...INBOXES.map(inboxOf)]
  const line = (/** @type {string} */ work) => {
    const own = (/** @type {string} */ name) => ms(timesOf(times, `${name} ${work}`))
    const beside = (/** @type {string} */ name) =>
      ratio(ratioOf(times, `ours ${work}`, `${name} ${work}`))
    return [work, own('ours'), own('bash'), beside('bash'), own('synced'), beside('synced')]
  }
  return {
    lines: [
      ...title,
      ...table(HEAD, works.map(line)),
      '',
      `\`bash -c :\` alone takes ${ms(timesOf(times, 'bash'))}.`,
    ],
    checks: [],
  }
}

const HEAD = [
  '',
  'agent-chat',
  'bash, jq, mv',
  'ours ÷ that',
  'the same, synced to the disk',
  'ours ÷ that',
]

/** What the scripts need and this machine does not have. */
function whatIsMissing() {
  if (spawnSync('jq', ['--version']).error) return 'jq is not there'
  const date = spawnSync('date', ['+%6N'], { encoding: 'utf8' })
  return /^\d{6}\n$/.test(String(date.stdout)) ? undefined : 'this `date` tells no microseconds'
}

/**
 * @param {import('./home.mjs').Home[]} homes
 * @param {import('./group.mjs').Program} program
 * @returns {Way[]}
 */
function waysOf([ours, bash, synced], { script }) {
  if (!ours || !bash || !synced || !SEND || !INBOX) throw new Error('a home is missing')
  const own = (/** @type {string} */ verb) => [process.execPath, script, verb]
  const scripts = { send: ['bash', SEND], inbox: ['bash', INBOX] }
  return [
    {
      name: 'ours',
      home: ours,
      env: { ...ours.env, AGENT_CHAT_GATE: 'off' },
      send: own('send'),
      inbox: own('inbox'),
    },
    { name: 'bash', home: bash, env: bash.env, ...scripts },
    { name: 'synced', home: synced, env: { ...synced.env, SEED_SYNC: '1' }, ...scripts },
  ]
}

/**
 * What is measured of a way: a send, and the reading of one message and of many.
 * @param {Way} way
 */
function cellsOf({ name, home, env, send, inbox }) {
  const read = () => run(inbox, { ...env, AGENT_CHAT_NAME: 'frontend' }).ms
  const sent = () => {
    const { ms: time } = run([...send, '@frontend', BODY], { ...env, AGENT_CHAT_NAME: 'backend' })
    read()
    return time
  }
  const readOf = (/** @type {number} */ size) => () => {
    for (let count = 0; count < size; count += 1) home.addUnread('frontend')
    return read()
  }
  return [
    { name: `${name} send`, run: sent },
    ...INBOXES.map((size) => ({ name: `${name} ${inboxOf(size)}`, run: readOf(size) })),
  ]
}

/** @param {number} size */
function inboxOf(size) {
  return `inbox of ${size}`
}
