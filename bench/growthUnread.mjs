import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { count, ratio } from './group.mjs'
import { makeHome } from './home.mjs'
import { GROWTH_LIMIT } from './limits.mjs'
import { runOnce } from './process.mjs'
import { compareSizes } from './sizes.mjs'

const MOST = 10_000
/** More than `inbox` prints without `--full`. */
const FULL_PAGE = 100
const SIZES = [1, 10, FULL_PAGE, 1000, MOST]

/** Ten thousand messages are printed in every round. */
const MOST_ROUNDS = 12

/**
 * With one unread message and more, in steps of ten. `inbox` prints 8 KB of them, `inbox --full` all: what each one more costs is in a line below the table.
 * @param {import('./group.mjs').Plan} plan
 */
export async function growthOfUnread({ directory, program, rounds, ready, say }) {
  const homes = []
  for (const size of SIZES) {
    say(`a home with ${size} unread messages`)
    const home = await makeHome(join(directory, `unread-${size}`), 10, program)
    for (let number = 0; number < size; number += 1)
      for (const name of ['frontend', 'backend']) home.addUnread(name)
    homes.push({ size, home, rows: rowsOf(home, program) })
  }
  say('growth with unread messages')
  const part = await compareSizes({
    ...{ title: 'Unread messages', of: 'unread', homes, ready },
    limits: { 'send to it': GROWTH_LIMIT },
    rounds: Math.min(rounds, MOST_ROUNDS),
  })
  for (const { home } of homes) home.close()
  const each = (/** @type {number} */ size) =>
    ((part.median(size, 'inbox --full') - part.median(1, 'inbox --full')) * 1000) / (size - 1)
  const costs = SIZES.slice(2).map((size) => `${each(size).toFixed(0)} µs with ${count(size)}`)
  const listed = part.growth(MOST, 'inbox', FULL_PAGE)
  return {
    lines: [
      ...part.lines,
      '',
      `\`inbox\` prints the same with ${FULL_PAGE} unread messages as with ${count(MOST)}: ${ratio(listed, GROWTH_LIMIT)} (limit ${GROWTH_LIMIT}; what that is made of, and why it stays: [0005](../dev/decisions/0005-inbox-listing.md)). Each message more that \`inbox --full\` prints and marks as read: ${costs.join(', ')}.`,
    ],
    checks: [
      ...part.checks,
      { what: `inbox, ${count(MOST)} ÷ ${FULL_PAGE} unread`, summary: listed, limit: GROWTH_LIMIT },
    ],
  }
}

/**
 * @param {import('./home.mjs').Home} home
 * @param {import('./group.mjs').Program} program
 * @returns {import('./rows.mjs').Row[]}
 */
function rowsOf(home, { script, hook }) {
  const env = { ...home.env, AGENT_CHAT_NAME: 'frontend' }
  const inHook = {
    ...home.env,
    AGENT_CHAT_NAME: 'backend',
    CLAUDE_PID: String(home.pidOf('backend')),
  }
  const prompt = {
    argv: [hook, 'user-prompt-submit'],
    input: '{"prompt":"Go on, please.","prompt_id":"turn-2"}',
  }
  home.beIn('backend', 'idle')
  // What is unread has been told of once.
  runOnce(prompt.argv, { env: inHook, input: prompt.input })
  const after = () => unread(home.root, 'frontend')
  return [
    {
      name: 'send to it',
      argv: [script, 'send', '@frontend', 'ready'],
      env: { ...env, AGENT_CHAT_NAME: 'reviewer' },
      expect: 'sent',
      after: home.unsend,
    },
    { name: 'inbox', argv: [script, 'inbox'], env, expect: 'unread message', after },
    {
      name: 'inbox --full',
      argv: [script, 'inbox', '--full'],
      env,
      expect: 'unread message',
      after,
    },
    { name: 'inbox --count', argv: [script, 'inbox', '--count'], env },
    { ...prompt, name: 'hook user-prompt-submit', env: inHook, silent: true },
    {
      name: 'hook bell',
      argv: [hook, 'bell'],
      input: JSON.stringify({ file_path: join(home.root, 'bells', 'backend', 'ring') }),
      env: inHook,
      silent: true,
    },
  ]
}

/**
 * Makes everything unread again.
 * @param {string} root
 * @param {string} name
 */
function unread(root, name) {
  const inbox = join(root, 'inbox', name)
  for (const file of readdirSync(join(inbox, 'read')))
    renameSync(join(inbox, 'read', file), join(inbox, file))
}
