import { rmSync } from 'node:fs'
import { join } from 'node:path'

/** More than `inbox` prints without `--full`. */
const MANY = 200

/**
 * The rows of other ways to send than the plain one, and of an inbox that holds more than is printed.
 * @param {import('./home.mjs').Home} home
 * @param {import('./talk.mjs').RowMaker} row
 * @returns {import('./rows.mjs').Row[]}
 */
export function sendRows(home, row) {
  /** @type {string[]} */
  let ids = []
  return [
    {
      ...row('send', ['@backend', '--urgent', 'The deploy is broken'], 'sent ', home.unsend),
      name: 'send --urgent',
    },
    {
      ...row('send', ['@backend', '--question', 'Is amount a string?'], 'sent ', home.unsend),
      name: 'send --question',
    },
    {
      ...row('send', ['@backend', '--handover', HANDOVER], 'sent ', home.unsend),
      name: 'send --handover, in git',
    },
    {
      ...row('inbox', [], 'more unread: agent-chat inbox', () => {
        for (const id of ids)
          for (const directory of ['messages', 'inbox/frontend', 'inbox/frontend/read'])
            rmSync(join(home.root, directory, `${id}.md`), { force: true })
      }),
      name: `inbox of ${MANY}, 8 KB of it`,
      before: () => {
        ids = Array.from({ length: MANY }, () => home.addUnread('frontend'))
      },
    },
  ]
}

const HANDOVER = '## Done\n\nGET /tasks pages.\n\n## Next\n\nThe list.'
