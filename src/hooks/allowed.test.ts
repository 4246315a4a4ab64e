import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeState, readState } from '../session/stateFile.ts'
import type { Grade } from '../session/turn.ts'
import { noteResult, recorded, wrapped } from '../testing/agent.ts'
import { eventsOf, tempBus, tempDirectory } from '../testing/home.ts'
import { type Script, scriptOf } from '../trust/allow/script.ts'
import { wordsOf } from '../trust/shell/reading.ts'
import { permissionRequest } from './events/activity.ts'
import { preToolUse } from './events/tool.ts'
import { postToolUse } from './events/tool-end.ts'
import type { HookPorts } from './ports.ts'

type Call = [tool: string, input: Record<string, unknown>]

const AT = new Date(0).toISOString()
const bash = (command: string): Call => ['Bash', { command }]

/** A session in a project where this is allowed, whose hooks run in this process. */
function world(...allowed: string[]) {
  const bus = tempBus(['frontend'])
  const root = join(tempDirectory(), 'project')
  mkdirSync(join(root, 'src'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(root, name), text)
  write('package.json', '{"scripts":{"test":"vitest run"}}')
  const allows = allowed.map((text) => {
    const words = text.startsWith('mcp__') ? [text] : wordsOf(text)
    const script = (words && scriptOf(words, root)) as Script | undefined
    return { text, words, project: root, script: script?.digest ?? null, at: AT }
  })
  writeFileSync(bus.home.allowed, JSON.stringify(allows))
  const ports: HookPorts = {
    env: { AGENT_CHAT_NAME: 'frontend', CLAUDE_PROJECT_DIR: root, PATH: '/usr/bin:/bin' },
    bus: () => bus,
    self: { node: process.execPath, script: '/none' },
  }
  const transcript_path = join(tempDirectory(), 'record.jsonl')
  let turns = 0
  let calls = 0
  /** A turn that a message began. */
  const begin = () => {
    turns += 1
    const turn = {
      ...{ id: `p${turns}`, began: 'doorbell' as const, at: new Date(turns).toISOString() },
      ...{ opened: null, chain: null, work: 0, asked: [] },
    }
    changeState(bus, 'frontend', () => ({
      ...{ activity: 'busy', since: AT, agent: null, native: true, gate: 'enforce', turn },
      ...{ session_id: null, vim: false },
    }))
    const ring = wrapped('New message from @backend. Check inbox.')
    appendFileSync(transcript_path, recorded(ring, turn.id))
  }
  const turn = () => readState(bus.home, 'frontend')?.turn
  /** What is said to a call: `pass`, `ask` or `deny`. With a yes, an asked one runs. */
  const may = async ([tool_name, tool_input]: Call, yes = true): Promise<string> => {
    const id = { tool_use_id: `call-${++calls}`, prompt_id: `p${turns}` }
    const payload = { ...id, tool_name, tool_input, cwd: root, transcript_path }
    const { stdout } = await preToolUse(ports, payload)
    const said = stdout ? JSON.parse(stdout).hookSpecificOutput.permissionDecision : 'pass'
    if (said === 'ask') permissionRequest(ports, payload)
    const runs = said === 'pass' || (said === 'ask' && yes)
    if (runs) noteResult(transcript_path, id)
    if (runs) postToolUse(ports, payload)
    return said
  }
  /** What is said to each of these, one after the other, in a turn of their own. */
  const turnOf = async (...all: Call[]) => {
    begin()
    const said: string[] = []
    for (const call of all) said.push(await may(call))
    return said
  }
  const edit = (name = 'src/a.ts'): Call => ['Edit', { file_path: join(root, name) }]
  return { bus, root, write, begin, turn, may, turnOf, edit }
}

describe('in a turn that a message began, what is allowed', () => {
  test('passes, opens nothing else, and stands in the history', async () => {
    const { bus, turnOf, turn } = world('npm test')
    const said = await turnOf(bash('npm test'), bash('npm test | tail -5'), bash('npm run x'))
    expect(said).toEqual(['pass', 'pass', 'ask'])
    expect(turn()?.granted).toMatchObject([expect.stringMatching(/^command:/)])
    expect(eventsOf(bus.home, 'approved')).toMatchObject([
      { tool: 'Bash', by: 'allowed', rule: 'allowed' },
      { tool: 'Bash', by: 'allowed' },
      { tool: 'Bash', by: 'human' },
    ])
  })

  test.each(['npm test && rm -rf x', 'npm test; touch x', 'rm -rf x | npm test', 'X=1 npm test'])(
    'asks as %s',
    async (command) => {
      expect(await world('npm test').turnOf(bash(command))).toEqual(['ask'])
    },
  )

  test('asks after an edit, and again in no turn after it', async () => {
    const { turnOf, edit } = world('npm test')
    const said = await turnOf(bash('npm test'), edit(), edit(), bash('npm test'), bash('npm test'))
    expect(said).toEqual(['pass', 'ask', 'pass', 'ask', 'pass'])
    expect(await turnOf(bash('npm test'))).toEqual(['pass'])
  })

  test('asks after another command that was put to the human', async () => {
    const { turnOf } = world('npm test')
    const said = await turnOf(bash('git checkout other'), bash('npm test'))
    expect(said).toEqual(['ask', 'ask'])
  })

  test('asks after an allowed one that may bring other files, or a tool of a server', async () => {
    for (const first of [bash('git pull'), ['mcp__fs__put', {}] as Call]) {
      const { turnOf } = world('npm test', 'git pull', 'mcp__fs__put')
      expect(await turnOf(first, bash('npm test'))).toEqual(['pass', 'ask'])
    }
  })

  test('asks where the script is another one', async () => {
    const { turnOf, write } = world('npm test')
    write('package.json', '{"scripts":{"test":"vitest run && rm -rf x"}}')
    expect(await turnOf(bash('npm test'))).toEqual(['ask'])
  })

  test('passes after a no, as reading does', async () => {
    const { begin, may } = world('npm test', 'mcp__github__merge')
    begin()
    expect(await may(['mcp__github__merge', {}])).toBe('pass')
    begin()
    expect(await may(['Skill', {}], false)).toBe('ask')
    expect(await may(['Skill', {}])).toBe('deny')
    expect(await may(['mcp__github__merge', {}])).toBe('pass')
  })

  test('is nothing where the file of it is broken', async () => {
    const { bus, turnOf } = world('npm test')
    writeFileSync(bus.home.allowed, '{')
    expect(await turnOf(bash('npm test'))).toEqual(['ask'])
  })
})

test('a yes to one call is none to the next of another kind', async () => {
  const { turnOf, edit } = world()
  const said = await turnOf(bash('pytest'), edit(), bash('git push'), bash('rm -rf src'), edit())
  expect(said).toEqual(['ask', 'ask', 'ask', 'ask', 'pass'])
  expect(await turnOf(bash('pytest src'), bash('pytest'), bash('pytest --pdb'))).toEqual([
    'ask',
    'pass',
    'ask',
  ])
})

/**
 * Eight days of turns that messages began, one line a turn, with the dialogs of a day: `before`,
 * where a yes to a command opens all, and `now`, where eight lines are allowed.
 */
const EDIT = 'EDIT'
const DAYS: { day: string; turns: string[][]; before: number; now: number }[] = [
  {
    day: 'research',
    turns: [
      ...[['git log -5', 'gh pr view 12'], ['grep -rn amount src'], ['git fetch', 'git status']],
      ...[['ls'], ['node -e "console.log(1)"'], ['git diff HEAD~1'], ['cat package.json']],
      ['curl -s localhost:3000/health'],
    ],
    ...{ before: 3, now: 3 },
  },
  {
    day: 'tests in JavaScript',
    turns: [
      ...[['npm test'], ['npx vitest run src/a.test.ts'], ['npx tsc --noEmit'], ['npm test']],
      ...[['npm test 2>&1 | tail -20', 'npx tsc --noEmit'], ['pnpm test'], ['npm test src/a.ts']],
      ['npx vitest run src/b.test.ts', 'npx vitest run'],
    ],
    ...{ before: 8, now: 1 },
  },
  {
    day: 'tests in Python',
    turns: [
      ...[['pytest'], ['pytest tests/test_a.py'], ['ruff check'], ['ruff check .', 'pytest']],
      ...[['pip list'], ['pytest tests/test_a.py::test_b | tail'], ['uv run pytest'], ['pytest']],
    ],
    ...{ before: 8, now: 2 },
  },
  {
    day: 'Rust and Go',
    turns: [
      ...[
        ['cargo test'],
        ['cargo test parser', 'cargo clippy'],
        ['cargo clippy'],
        ['go test ./...'],
      ],
      ...[['go test ./store', 'git log -3'], ['cargo tree'], ['go list ./...'], ['ls']],
    ],
    ...{ before: 7, now: 2 },
  },
  {
    day: 'edits',
    turns: [
      ...[
        [EDIT, 'npm test', EDIT, 'npm test'],
        [EDIT, 'npx tsc --noEmit'],
        [EDIT, 'npm test'],
      ],
      ...[
        [EDIT, EDIT, 'npx vitest run src/a.test.ts'],
        [EDIT, 'git add src/a.ts'],
        [EDIT, EDIT],
      ],
    ],
    ...{ before: 11, now: 11 },
  },
  {
    day: 'git',
    turns: [
      ...[['git status', 'git commit -m one', 'git commit -m two'], ['gh run view --log-failed']],
      ...[['git push'], ['git log -5'], ['git merge main'], ['git rebase main']],
    ],
    ...{ before: 4, now: 4 },
  },
  {
    day: 'containers',
    turns: [
      ...[['docker ps'], ['docker logs api'], ['kubectl get pods'], ['kubectl logs api']],
      ...[['systemctl status nginx'], ['terraform plan'], ['docker restart api']],
    ],
    ...{ before: 2, now: 2 },
  },
  {
    day: 'MCP',
    turns: [
      ...[['mcp__playwright__browser_navigate', 'mcp__playwright__browser_take_screenshot']],
      ...[['mcp__github__pull_request_read'], ['mcp__context7__resolve-library-id']],
      ...[['mcp__playwright__browser_take_screenshot'], ['mcp__github__merge_pull_request']],
      ...[['mcp__github__get_issue'], ['git status']],
    ],
    ...{ before: 3, now: 3 },
  },
]
const LIST = [
  ...['npm test', 'npx vitest run', 'npx tsc --noEmit', 'pytest', 'ruff check'],
  ...['cargo test', 'cargo clippy', 'go test'],
]

describe('dialogs in eight days', () => {
  const callOf = (line: string, edit: Call): Call =>
    line === EDIT ? edit : line.startsWith('mcp__') ? [line, {}] : bash(line)

  /** How often a day asks, and for what. `open`: a yes to a command opens all, as it once did. */
  async function asksOf(turns: string[][], list: string[], open: boolean): Promise<string[]> {
    const { bus, begin, may, edit, root } = world(...list)
    mkdirSync(join(root, 'tests'))
    const asked: string[] = []
    for (const lines of turns) {
      begin()
      for (const line of lines) {
        const call = callOf(line, edit())
        if ((await may(call)) !== 'ask') continue
        asked.push(line)
        const granted: Grade[] = ['commands', 'edits']
        if (open && call[0] === 'Bash')
          changeState(
            bus,
            'frontend',
            (state) => state?.turn && { ...state, turn: { ...state.turn, granted } },
          )
      }
    }
    return asked
  }

  test('come to 46 where a yes to a command opens all', async () => {
    const days = await Promise.all(DAYS.map(({ turns }) => asksOf(turns, [], true)))
    expect(days.map((asked) => asked.length)).toEqual(DAYS.map(({ before }) => before))
    expect(days.flat()).toHaveLength(46)
  })

  test.each(DAYS)('$day: at most $now where 8 lines are allowed', async ({ turns, now }) => {
    expect(LIST.length).toBeLessThanOrEqual(8)
    const asked = await asksOf(turns, LIST, false)
    expect(asked.length, asked.join('; ')).toBeLessThanOrEqual(now)
  })

  test('are 28', async () => {
    const days = await Promise.all(DAYS.map(({ turns }) => asksOf(turns, LIST, false)))
    expect(days.flat()).toHaveLength(28)
  })
})
