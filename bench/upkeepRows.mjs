import { lastSent } from './home.mjs'
import { runOnce } from './process.mjs'
import { startWatcher } from './watched.mjs'

/**
 * The rows of the commands beside the conversation: looking things up, who one is, the guardrails, the room. `scans` reads all that there is, so that
 * its growth is no fault; `node bench/search.mjs` measures that.
 * @param {import('./home.mjs').Home} home
 * @param {string} script
 * @param {import('./talk.mjs').RowMaker} row
 * @returns {import('./rows.mjs').Row[]}
 */
export function upkeepRows(home, script, row) {
  const human = { ...home.env, AGENT_CHAT_NAME: 'human' }
  const putBack = home.keeper('frontend')
  return [
    row('show', [sentToReviewer(home, script)], 'unread'),
    { ...row('show', [home.longThread], 'API contract'), name: 'show, the oldest', scans: true },
    { ...row('search', ['last', 'page', '--json'], '"messages"'), scans: true },
    { ...row('stats', [], '@backend'), scans: true },
    { ...row('prune', ['--dry-run'], 'would'), name: 'prune --dry-run', env: human, scans: true },
    { ...row('watch-file', ['--list'], 'no file is watched'), name: 'watch-file --list' },
    { ...row('completion', ['--at', 'send', '@'], '@reviewer'), name: 'completion, the names' },
    { ...row('completion', ['--at', 'show', ''], '→ @backend'), name: 'completion, the ids' },
    row('gate', [], 'backend'),
    row('approve', ['@backend'], 'approved', putBack),
    { ...row('pause', [], 'silent'), env: human, after: home.unpause },
    { ...row('resume', ['--all'], 'ring'), env: human, before: home.pause, after: home.unpause },
    ...renameRows(home, script, row),
    row('leave', [], 'left', putBack),
    { ...row('join', ['newcomer', '--no-watch'], 'joined as @newcomer', putBack), env: home.env },
  ]
}

/**
 * The one message that is unread for `reviewer`; gives its id.
 * @param {import('./home.mjs').Home} home
 * @param {string} script
 */
function sentToReviewer({ root, env }, script) {
  const argv = [script, 'send', '@reviewer', 'GET /tasks has pages now']
  runOnce(argv, { env: { ...env, AGENT_CHAT_NAME: 'backend' } })
  return lastSent(root).id
}

/**
 * There and back; what stands of the two renames is forgotten, because whoever reads a message afterwards would look at it.
 * @param {import('./home.mjs').Home} home
 * @param {string} script
 * @param {import('./talk.mjs').RowMaker} row
 * @returns {import('./rows.mjs').Row[]}
 */
function renameRows(home, script, row) {
  const there = ['frontend', 'webpage']
  const back = ['webpage', 'frontend']
  const putBack = home.keeper('frontend')
  const run = (/** @type {string[]} */ args, /** @type {string} */ name) =>
    runOnce([script, 'rename', ...args], { env: { ...home.env, AGENT_CHAT_NAME: name } })
  const after = () => {
    run(back, 'webpage')
    putBack()
  }
  let endWatcher = () => {}
  return [
    row('rename', there, 'is @webpage now', after),
    {
      ...row('rename', there, 'is @webpage now', () => {
        after()
        endWatcher()
      }),
      name: 'rename, watched in a pane',
      before: () => {
        endWatcher = startWatcher(home, script, 'frontend')
      },
    },
    {
      ...row('rename', back, 'is @frontend now', putBack),
      name: 'rename, back',
      env: { ...home.env, AGENT_CHAT_NAME: 'webpage' },
      before: () => run(there, 'frontend'),
    },
  ]
}
