import { expect, test } from 'vitest'
import { isTypedBelow, type Seen } from './typed.ts'

/** A process in a job, and what its terminal listens to. */
function seen(command: string, group: number, more: Partial<Seen> = {}): Seen {
  return { command, group, foreground: 9, args: [command], marked: false, ...more }
}

const ME = seen('node', 9)
const BASH = seen('bash', 5)
const TERMINAL = seen('kitty', 2, { foreground: -1 })

const CASES: [what: string, chain: Seen[], typed: boolean][] = [
  ['typed into a shell', [ME, BASH, TERMINAL], true],
  ['typed into a login shell', [ME, seen('-zsh', 5, { args: ['-zsh'] })], true],
  [
    'in an editor’s terminal',
    [ME, { ...BASH, args: ['bash', '--init-file', '/x/y.sh', '-i'] }],
    true,
  ],
  [
    'run by a script of the person’s own',
    [ME, seen('bash', 9, { args: ['bash', 's.sh'] }), BASH],
    true,
  ],
  [
    'in the background',
    [
      { ...ME, foreground: 5 },
      { ...BASH, foreground: 5 },
    ],
    false,
  ],
  [
    'without a terminal',
    [
      { ...ME, foreground: -1 },
      { ...BASH, foreground: -1 },
    ],
    false,
  ],
  ['by `sh -c` in a pane', [ME, seen('sh', 5, { args: ['sh', '-c', 'agent-chat send'] })], false],
  ['by a script that was started alone', [ME, seen('sh', 5, { args: ['sh', 'x.sh'] })], false],
  ['in a pane of its own, of tmux', [ME, seen('tmux: server', 5, { foreground: -1 })], false],
  ['by an agent that a shell started', [ME, seen('codex', 9), BASH], false],
  ['by a shell of an agent’s', [ME, seen('bash', 9), seen('codex', 5), BASH], false],
  ['by a shell on another terminal', [ME, { ...BASH, foreground: 7 }], false],
  ['below an agent’s marks', [ME, BASH, { ...TERMINAL, marked: true }], false],
  ['by a process that cannot be seen', [ME, { ...BASH, args: undefined }], false],
  ['by nobody', [ME], false],
]

test.each(CASES)('a message %s', (_, chain, typed) => {
  expect(isTypedBelow(chain)).toBe(typed)
})
