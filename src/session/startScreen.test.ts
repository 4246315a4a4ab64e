import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StartDialog } from '../agents/agent.ts'
import { screenOf } from '../agents/agents.ts'
import type { Session } from '../bus/names/registry.ts'
import { dialogOn, mayStandAtDialog } from './startScreen.ts'

// Screens of the real clients: test/e2e/screens.test.ts makes Claude Code's.
const FILES = join(import.meta.dirname, '../doorbell/screens')
const SCREENS = readdirSync(FILES).flatMap((file) => file.match(/^(.+)\.txt$/)?.[1] ?? [])
const textOf = (name: string) => readFileSync(join(FILES, `${name}.txt`), 'utf8')

test.each(SCREENS)('the screen %s', (name) => {
  const client = /^(copilot|gemini)-/.exec(name)?.[1]
  const expected = name === 'trust' || name === 'copilot-trust' ? 'trust' : undefined
  expect(dialogOn(textOf(name), screenOf(client))).toBe(expected)
})

test.each<[text: string, dialog: StartDialog | undefined]>([
  // An earlier Claude Code, and a pane that is narrow.
  ['Do you trust the files in this folder?\n\n❯ 1. Yes, proceed\n  2. No, exit', 'trust'],
  ['❯ No, exit\n  Yes, I trust\n  this folder', 'trust'],
  ['│ Do you trust the files in │\n│ this folder?              │', 'trust'],
  ['\x1b[1mYes, I \x1b[38;5;153mtrust\x1b[39m this folder', 'trust'],
  ['Select login method:\n\n❯ 1. Claude account with subscription', 'login'],
  ['Paste code here if prompted >', 'login'],
  ['Login successful. Press Enter to continue…', 'login'],
  ['Choose the text style that looks best with your terminal', 'setup'],
  ['Detected a custom API key in your environment\nDo you want to use this API key?', 'setup'],
  ['WARNING: Claude Code running in Bypass Permissions mode\n❯ No, exit\n  Yes, I accept', 'setup'],
  ['Security notes:\n\nPress Enter to continue…', 'setup'],
  ['New MCP server found in this project: docs', 'setup'],
  ['3 new MCP servers found in this project', 'setup'],
  ["Use Claude Code's terminal setup?", 'setup'],
  ['', undefined],
  ['❯ ', undefined],
  ['$ claude\nbash: claude: command not found', undefined],
  ['I trust this folder, said the agent', undefined],
])('a screen of Claude Code with %j', (text, dialog) => {
  expect(dialogOn(text, screenOf(undefined))).toBe(dialog)
})

const session = (known: Partial<Session>): Session =>
  ({ name: 'docs', pane: '%1', tmux_socket: '/s', native: false, ...known }) as Session

test.each<[what: string, session: Session, noHooks: string | undefined, looks: boolean]>([
  ['Claude Code of the launcher', session({ native: true }), undefined, true],
  ['Claude Code whose hooks were not heard', session({}), 'no hook', true],
  ['any other command', session({}), undefined, false],
  ['Copilot CLI', session({ program: 'copilot' }), undefined, true],
  ['an agent whose dialogs nobody knows', session({ program: 'gemini' }), undefined, false],
  ['Claude Code outside of tmux', session({ native: true, pane: null }), undefined, false],
])('the screen of %s', (_, one, noHooks, looks) => {
  expect(mayStandAtDialog(one, noHooks)).toBe(looks)
})
