import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..', '..')

/**
 * What the page shows for a line, where that is more than exit code 0. `shows`: what comes on the screen. `keys`: for a line that keeps the
 * terminal, what is pressed then. `first` is done before, by an agent or by what happens to the machine. `answer` is what @backend answers
 * while the line waits, and `says` what is typed at each [y/N]. A line that is `left` is not typed, for that reason. `<id>` is the id of the newest message.
 * @typedef {{ shows?: RegExp, keys?: string[], at?: 'clone', first?: string[], answer?: string, says?: 'y' | 'n', left?: string }} Shown
 */

const DETACH = ['C-b', 'd']
const DECISION =
  'AGENT_CHAT_NAME=backend agent-chat escalate "Drop the column now?" --option "drop it" --option "keep it for a release"'
const CLIENT = 'test/plugin/install.long.test.ts types it, with the real Claude Code'

/** @type {{ page: string, lines: { [line: string]: Shown } }[]} */
export const PAGES = [
  {
    page: 'README.md',
    lines: {
      './bin/agent-chat setup': { at: 'clone', says: 'n', shows: /^Ready\. /m },
      'npm install && npm test': { left: 'it takes minutes, and CI runs it' },
      'claude plugin marketplace add ./': { left: CLIENT },
      'claude plugin install agent-chat@agent-chat': { left: CLIENT },
      'cd ~/src/api && agent-chat start backend': { shows: /a stand-in for claude/, keys: DETACH },
      'cd ~/src/web && agent-chat start frontend': { shows: /a stand-in for claude/, keys: DETACH },
      'agent-chat': { shows: /^ {2}@backend[\s\S]*^ {2}@frontend[\s\S]*^For you, @human: /m },
      'agent-chat send @frontend "GET /tasks is ready"': { shows: /^sent \w+ to @frontend$/m },
      'agent-chat ask @backend "Is amount a string?"': {
        shows: /^Yes, a string$/m,
        answer: 'Yes, a string',
      },
      'agent-chat reply 1 2': { first: [DECISION], shows: /^sent \w+ to @backend$/m },
      'agent-chat attach backend': { shows: /a stand-in for claude/, keys: DETACH },
      'agent-chat setup --agent codex': { shows: /codex/ },
      'agent-chat start reviewer --agent codex': { shows: /a stand-in for codex/, keys: DETACH },
    },
  },
  {
    page: 'docs/tutorial.md',
    lines: {
      'cd ~/src/api && agent-chat start backend': { shows: /a stand-in for claude/, keys: DETACH },
      'cd ~/src/web && agent-chat start frontend': { shows: /a stand-in for claude/, keys: DETACH },
      'agent-chat attach frontend': { shows: /a stand-in for claude/, keys: DETACH },
      'agent-chat start docs --detach': { shows: /^started @docs /m },
      'agent-chat start review --no-tmux': { shows: /a stand-in for claude/, keys: ['C-d'] },
      'agent-chat start infra -- --model opus': { shows: /^claude .*--model opus/m, keys: DETACH },
      'agent-chat': { shows: /^ {2}@backend[\s\S]*^For you, @human: /m },
      'agent-chat send @frontend "Use the staging API for now"': {
        shows: /^sent \w+ to @frontend$/m,
      },
      'agent-chat ask @backend "Is amount a string on purpose?"': {
        shows: /^Yes, it is$/m,
        answer: 'Yes, it is',
      },
      'agent-chat show <id>': { shows: /Yes, it is/ },
      'agent-chat reply <id> "It is, because of the rounding"': { shows: /^sent \w+ to @/m },
      'agent-chat thread <id>': { shows: /because of the rounding/ },
      'agent-chat task @frontend "Page the list of GET /tasks"': {
        shows: /^sent \w+ to @frontend$/m,
      },
      'agent-chat tasks': { shows: /@frontend[\s\S]*Page the list of GET \/tasks/ },
      'agent-chat inbox': { first: [DECISION], shows: /decision 1\b[\s\S]*1\. drop it/i },
      'agent-chat reply 1 2': { shows: /^sent \w+ to @backend$/m },
      'agent-chat console': { shows: /@backend[\s\S]*\? keys/, keys: ['C-d'] },
      'agent-chat stop frontend': { shows: /^stopped @frontend/m },
      'agent-chat stop --all': { shows: /^stopped @backend/m },
      'agent-chat resume': {
        first: [
          'agent-chat start backend --detach',
          'agent-chat start frontend --detach',
          'tmux kill-server',
        ],
        says: 'y',
        shows: /^✓ @(back|front)end is back [\s\S]*^✓ @(back|front)end is back /m,
      },
      'agent-chat resume --dry-run': {
        first: ['tmux kill-server'],
        shows: /@backend[\s\S]*@frontend/,
      },
      'agent-chat resume backend': { says: 'y', shows: /^✓ @backend is back /m },
    },
  },
]

/** The lines that a page has one type, in their order. @param {string} page */
export function linesOf(page) {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/```sh\n(.*?)\n```/gs)
  return [...blocks].flatMap(([, code = '']) =>
    code
      .split('\n')
      .map((line) => line.replace(/\s+# .*$/, '').trim())
      .filter(Boolean),
  )
}
