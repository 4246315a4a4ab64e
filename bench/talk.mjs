import { join } from 'node:path'
import { LONG_THREAD } from './archive.mjs'
import { lastSent } from './home.mjs'
import { runOnce } from './process.mjs'
import { waitForQuiet } from './quiet.mjs'

/** Tasks that `frontend` has open: more than the one that is spoken of. */
const TASKS = [
  'Move the list to GET /tasks?page=2',
  'Show the total above the list',
  'Say so where the list is empty',
]

/** @typedef {(verb: string, args: string[], expect: string, after?: (stdout: string) => void) => import('./rows.mjs').Row} RowMaker */

/**
 * The rows of the commands that make a conversation, spoken by `frontend`. What they speak of is sent by the program itself, and read.
 * @param {import('./home.mjs').Home} home
 * @param {string} script
 * @returns {import('./rows.mjs').Row[]}
 */
export function talkRows(home, script) {
  const { tasks, message, asked, question, answer, decision } = startTalk(home, script)
  const [task = ''] = tasks
  const row = rowMaker(home, script)
  const human = { ...home.env, AGENT_CHAT_NAME: 'human' }
  const undoEnd = () => {
    home.unsend()
    home.reopen(task)
  }
  return [
    row('reply', [message, 'The list reads it now'], 'sent ', home.unsend),
    {
      ...row('reply', [asked, 'Yes: the column is a bigint'], 'sent ', () => {
        home.unsend()
        home.forgetTurn('frontend')
      }),
      name: 'reply, rung for a question',
      before: () => home.beIn('frontend', 'doorbell'),
    },
    {
      ...row('ask', ['--resume', question], 'It is a string', () => {}),
      before: () => home.markUnread('frontend', answer),
    },
    row('task', ['@backend', 'Send the total in X-Total-Count'], 'sent ', home.unsend),
    // All that there ever were: it prints more where more was said.
    { ...row('tasks', [], TASKS[0] ?? ''), scans: true },
    { ...row('tasks', ['--open'], TASKS[0] ?? ''), name: 'tasks --open' },
    row('accept', [task], '(from @backend)', home.unsend),
    row('decline', [task, '-m', 'the list is being replaced'], '(from @backend)', undoEnd),
    row('done', [task, 'src/list.ts pages now'], '(from @backend)', undoEnd),
    row('fail', [task, '-m', 'the test database is gone'], '(from @backend)', undoEnd),
    row('escalate', [...DECISION], 'sent ', home.unsend),
    {
      ...row('escalate', [...DECISION], 'sent ', () => {
        home.unsend()
        // The process that looks for the human is no part of the command, nor of the row that comes next.
        waitForQuiet()
      }),
      name: 'escalate, the human in tmux',
      env: { ...home.env, AGENT_CHAT_NAME: 'frontend', TMUX: join(home.root, 'no-server,1,0') },
    },
    {
      ...row('reply', [decision, '2'], 'sent ', home.unsend),
      name: 'reply to a decision',
      env: human,
    },
    row('status', [], TASKS[0] ?? ''),
    {
      ...row('thread', [home.longThread], `${LONG_THREAD} messages`),
      name: `thread of ${LONG_THREAD}`,
    },
  ]
}

const DECISION = [
  'Drop the column now?',
  '--option',
  'drop it',
  '--option',
  'keep it',
  '--recommend',
  'keep it',
]

/**
 * Makes the rows of what `frontend` runs.
 * @param {import('./home.mjs').Home} home
 * @param {string} script
 * @returns {RowMaker}
 */
export function rowMaker(home, script) {
  const env = { ...home.env, AGENT_CHAT_NAME: 'frontend' }
  return (verb, args, expect, after) => ({
    name: verb,
    argv: [script, verb, ...args],
    env,
    expect,
    ...(after ? { after } : {}),
  })
}

/**
 * Open tasks, a message, an open question, and a question with its answer. Looks at the tasks and the long conversation once, which makes their indexes.
 * @param {import('./home.mjs').Home} home
 * @param {string} script
 */
function startTalk(home, script) {
  const as = (/** @type {string} */ name, /** @type {string[]} */ ...args) =>
    runOnce([script, ...args], { env: { ...home.env, AGENT_CHAT_NAME: name } })
  const sent = (/** @type {string} */ name, /** @type {string[]} */ ...args) => {
    as(name, ...args)
    return lastSent(home.root).id
  }
  as('frontend', 'thread', home.longThread)
  as('frontend', 'tasks', '--open')
  const tasks = TASKS.map((text) => sent('backend', 'task', '@frontend', text))
  const message = sent('backend', 'send', '@frontend', 'GET /tasks has pages now')
  const asked = sent(
    'backend',
    'send',
    '@frontend',
    '--question',
    'Do you need the id as a string?',
  )
  const question = sent(
    'frontend',
    'send',
    '@backend',
    '--question',
    'Is amount a string on purpose?',
  )
  as('backend', 'inbox')
  const answer = sent('backend', 'reply', question, 'It is a string, because of the rounding')
  as('frontend', 'inbox')
  const decision = sent('backend', 'escalate', ...DECISION)
  return { tasks, message, asked, question, answer, decision }
}
