import { describe, expect, test } from 'vitest'
import type { AgentResume } from './agent.ts'
import { argumentsBack } from './argumentsBack.ts'
import { CLAUDE } from './claude.ts'
import { CODEX } from './codex.ts'

const NOT_IDS = [
  '--dangerously-skip-permissions',
  'last',
  '../../x',
  'a b c d e f g h',
  'x\n--yolo-yolo',
]
const ID = '0197a6c3-7b1e-7e5c-9f43-5ac0c6f1c2d1'

type Row = [args: string[], back: string[], more?: Partial<ReturnType<typeof argumentsBack>>]

const rows = (of: AgentResume | undefined, table: Row[]) =>
  test.each(table)('%j', (args, back, more = {}) => {
    expect(argumentsBack(args, of)).toMatchObject({ back, ...more })
  })

describe('the arguments of Claude Code that come back', () => {
  rows(CLAUDE.resume, [
    [[], [], { names: [], asks: [], left: [] }],
    [['--model', 'opus', 'fix the bug'], ['--model', 'opus'], { names: ['--model'], asks: [] }],
    [['fix the bug', '--model=opus'], ['--model=opus']],
    [['--model', 'opus', '--', '--settings', 'x'], ['--model', 'opus'], { asks: [] }],
    [['--resume', ID, '--effort', 'low'], ['--effort', 'low'], { conversation: ID }],
    [['-r', ID], [], { conversation: ID }],
    [[`--resume=${ID}`], [], { conversation: ID }],
    [['--session-id', ID, 'hello'], [], { conversation: ID }],
    [['--resume', '../../etc/passwd'], [], { conversation: undefined }],
    ...NOT_IDS.flatMap((text): Row[] => [
      [['--session-id', text], [], { conversation: undefined }],
      [[`--resume=${text}`], [], { conversation: undefined }],
    ]),
    [['--continue'], []],
    [['-c', '--fork-session', 'go on'], []],
    [['--worktree', 'fix', '--verbose'], ['--verbose']],
    [
      ['--add-dir', '/a', '/b', '--verbose'],
      ['--add-dir', '/a', '/b', '--verbose'],
    ],
    [
      ['--settings', '{"env":{"KEY":"s3cret"}}'],
      ['--settings', '{"env":{"KEY":"s3cret"}}'],
      { names: ['--settings'], asks: ['--settings'] },
    ],
    [
      ['--mcp-config', 'a.json', 'b.json', '--model', 'x'],
      ['--mcp-config', 'a.json', 'b.json', '--model', 'x'],
      { asks: ['--mcp-config'] },
    ],
    [
      ['--allowedTools', 'Bash(agent-chat:*)', 'Bash(agent-chat inbox:*)'],
      ['--allowedTools', 'Bash(agent-chat:*)', 'Bash(agent-chat inbox:*)'],
      { asks: [] },
    ],
    ...['Bash(agent-chat:*),Bash(rm:*)', 'Bash(agent-chat:*) Edit', 'Bash', 'Edit'].map(
      (tools): Row => [
        ['--allowed-tools', 'Bash(agent-chat:*)', tools],
        ['--allowed-tools', 'Bash(agent-chat:*)', tools],
        { asks: ['--allowed-tools'] },
      ],
    ),
    [['--plugin-dir', '/p'], ['--plugin-dir', '/p'], { asks: ['--plugin-dir'] }],
    [['--permission-mode', 'plan'], ['--permission-mode', 'plan'], { asks: [], mode: 'plan' }],
    [
      ['--permission-mode=bypassPermissions'],
      ['--permission-mode=bypassPermissions'],
      { asks: ['--permission-mode'], mode: 'bypassPermissions' },
    ],
    [
      ['--permission-mode', 'acceptEdits'],
      ['--permission-mode', 'acceptEdits'],
      { asks: ['--permission-mode'] },
    ],
    [
      ['--permission-mode', 'some-new-mode'],
      ['--permission-mode', 'some-new-mode'],
      { asks: ['--permission-mode'] },
    ],
    [
      ['--dangerously-skip-permissions'],
      ['--dangerously-skip-permissions'],
      { asks: ['--dangerously-skip-permissions'], mode: 'dangerously-skip-permissions' },
    ],
    [
      ['--a-new-option', 'what is it', '--model', 'x'],
      ['--model', 'x'],
      { left: ['--a-new-option'] },
    ],
    [['-p', 'one answer'], [], { left: [] }],
    [['--bg'], [], { left: [] }],
    [['--model'], ['--model']],
  ])
})

describe('the arguments of Codex that come back', () => {
  rows(CODEX.resume, [
    ...NOT_IDS.map((text): Row => [['resume', text], [], { conversation: undefined }]),
    [['-m', 'gpt', 'fix it'], ['-m', 'gpt'], { asks: [] }],
    [['resume', ID, '-m', 'gpt'], ['-m', 'gpt'], { conversation: ID }],
    [['resume', '--last'], [], { conversation: undefined }],
    [
      ['-s', 'danger-full-access'],
      ['-s', 'danger-full-access'],
      { asks: ['-s'], mode: 'danger-full-access' },
    ],
    [
      ['-s', 'read-only', '-a', 'never'],
      ['-s', 'read-only', '-a', 'never'],
      { asks: ['-a'], mode: 'read-only, never' },
    ],
    [['-c', 'model_provider="x"'], ['-c', 'model_provider="x"'], { asks: ['-c'] }],
    [['--yolo'], ['--yolo'], { asks: ['--yolo'] }],
    [
      ['--image', 'a.png', 'b.png', '-m', 'x'],
      ['-m', 'x'],
    ],
  ])
})

describe('the arguments of an agent whose options nobody here knows', () => {
  rows(undefined, [
    [['--model', 'x', 'fix it'], [], { left: ['--model'] }],
    [['fix it'], [], { left: [] }],
  ])
})
