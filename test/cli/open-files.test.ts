import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wrapped } from '../../src/testing/agent.ts'
import { ROOT, runCli, runHookProcess } from '../../src/testing/cli.ts'
import { tempBus } from '../../src/testing/home.ts'

/** As many files as Node itself has open before the first line of a program: with less it crashes. */
function leastOfNode(): number {
  const empty = join(ROOT, 'chaos/empty.cjs')
  const works = (files: number) =>
    spawnSync('sh', ['-c', `ulimit -n ${files} && exec "$0" "$1"`, process.execPath, empty])
      .status === 0
  return Array.from({ length: 64 }, (_, at) => at + 3).find(works) ?? 64
}

const LEAST = leastOfNode()
const LIMITS = [0, 1, 2, 3, 4].map((more) => LEAST + more)
/** What a command may end with: docs/reference.md. */
const CONTRACTED = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

describe.each(LIMITS)('with %d open files', (files) => {
  test.each([
    'who',
    'inbox frontend',
    'send @frontend hello --as backend',
    'status --json',
    'doctor --no-ring',
    'join docs --no-watch',
  ])('%s is done, or says in one line what and in another what to do', async (line) => {
    const home = tempBus(['frontend', 'backend']).home.root
    await runCli(['who'], { home })
    const { code, stderr } = await runCli(line.split(' '), { home, files })
    expect(CONTRACTED).toContain(code)
    expect(stderr).not.toMatch(/^ {4}at |node:/m)
    if (code === 0 || code === 7) return
    if (line.includes('--json')) expect(JSON.parse(stderr).error.hint).toMatch(/\w/)
    else expect(stderr).toMatch(/^(agent-chat: .*\n {2}hint: .*\n)+$/)
  })

  test.each([
    ['the launcher has started', true],
    ['has joined while it ran', false],
  ])('in a message’s turn, an agent that %s is asked about a change', async (_, isNamed) => {
    const bus = tempBus(['frontend', 'backend'])
    const home = bus.home.root
    // The agent is this process, so that the hook is below it.
    const agent = bus.processes.self()
    const frontend = { name: 'frontend', agent, native: true, doorbell: 'auto' }
    writeFileSync(
      bus.home.sessions,
      JSON.stringify({ frontend, backend: { name: 'backend', agent: null } }),
    )
    const env = {
      CLAUDE_PID: String(agent.pid),
      ...(isNamed ? { AGENT_CHAT_NAME: 'frontend' } : {}),
    }
    const hook = (word: string, more: object, limit?: number) => {
      const payload = { prompt_id: 'p', cwd: '/', ...more }
      return runHookProcess(word, payload, { home, env, files: limit })
    }
    await hook('session-start', { source: 'startup' })
    await runCli(['send', '@frontend', 'do it', '--as', 'backend'], { home })
    await hook('user-prompt-submit', { prompt: wrapped('New message from @backend. Check inbox.') })
    await runCli(['inbox'], { home, env })
    const call = { tool_name: 'Write', tool_input: { file_path: '/x' }, tool_use_id: 'c' }
    const asked = await hook('pre-tool-use', call, files)
    expect(JSON.parse(asked.stdout).hookSpecificOutput.permissionDecision).toBe('ask')
    expect(asked).toMatchObject({ code: 0, stderr: '' })
    for (const word of ['notification', 'subagent-start', 'permission-request'])
      expect(await hook(word, call, files)).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })
})
