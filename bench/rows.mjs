import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hookRows } from './hookRows.mjs'
import { runOnce } from './process.mjs'
import { sendRows } from './sendRows.mjs'
import { rowMaker, talkRows } from './talk.mjs'
import { upkeepRows } from './upkeepRows.mjs'

/**
 * One thing to measure: what to run, what to put in place before it and away after it, outside of the time that counts. `expect` must
 * stand in what it prints, and a row that is `silent` prints nothing. `scans`: it reads everything that was ever said.
 * @typedef {{ name: string, argv: string[], env: NodeJS.ProcessEnv, input?: string, expect?: string, silent?: boolean, scans?: boolean, before?: () => void, after?: (stdout: string) => void }} Row
 */

/**
 * The rows of one home. Each leaves the home as it found it, so that the hundredth round meets what the first met.
 * @param {import('./home.mjs').Home} home
 * @param {{ script: string, hook: string }} program
 * @returns {Row[]}
 */
export function rowsOf(home, program) {
  const as = (/** @type {string} */ name) => ({ ...home.env, AGENT_CHAT_NAME: name })
  const payload = JSON.stringify({
    session_id: '0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9',
    transcript_path: '/home/user/.claude/projects/-home-user-app/0b1c2d3e.jsonl',
    cwd: '/home/user/app',
    hook_event_name: 'SessionStart',
    source: 'startup',
  })
  const talk = talkRows(home, program.script)
  return [
    {
      name: 'send',
      argv: [
        program.script,
        'send',
        '@backend',
        'GET /tasks is ready, with pages of fifty; see docs/api.md',
      ],
      env: as('frontend'),
      expect: 'sent ',
      after: home.unsend,
    },
    {
      name: 'inbox',
      argv: [program.script, 'inbox'],
      env: as('frontend'),
      expect: '1 unread message for @frontend',
      before: () => home.addUnread('frontend'),
    },
    ...sendRows(home, rowMaker(home, program.script)),
    {
      name: 'history',
      argv: [program.script, 'history'],
      env: as('frontend'),
      expect: '@frontend',
    },
    { name: 'who', argv: [program.script, 'who'], env: as('frontend'), expect: '@reviewer' },
    ...talk,
    ...upkeepRows(home, program.script, rowMaker(home, program.script)),
    {
      name: 'hook session-start',
      argv: [program.hook, 'session-start'],
      env: as('reviewer'),
      input: payload,
      expect: '1 message is unread',
    },
    {
      name: 'hook, no participant',
      argv: [program.hook, 'session-start'],
      env: home.env,
      input: payload,
      expect: '',
    },
    ...hookRows(home, program),
  ]
}

/**
 * What the rows are measured against, and an empty file, to tell what loading one file costs by itself.
 * @param {string} directory
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ base: Row, empty: Row }}
 */
export function floorRows(directory, env) {
  const file = join(directory, 'empty.js')
  writeFileSync(file, '')
  return {
    base: { name: 'node -e 0', argv: ['-e', '0'], env },
    empty: { name: 'node empty.js', argv: [file], env },
  }
}

/**
 * Runs a row once, checks what it printed, and gives the milliseconds.
 * @param {Row} row
 */
export function timeRow(row) {
  row.before?.()
  const { ms, stdout } = runOnce(row.argv, { env: row.env, input: row.input ?? '' })
  if (row.expect !== undefined && !stdout.includes(row.expect)) {
    throw new Error(
      `${row.name} printed ${JSON.stringify(stdout)}, not ${JSON.stringify(row.expect)}`,
    )
  }
  if (row.silent && stdout !== '')
    throw new Error(`${row.name} printed ${JSON.stringify(stdout)}, not nothing`)
  row.after?.(stdout)
  return ms
}
