import { describe, expect, test } from 'vitest'
import { AGENTS, agentOf, agentOfProgram, howToInstall } from './agents.ts'
import { CLAUDE } from './claude.ts'
import { CODEX } from './codex.ts'

const launch = (...given: string[]) =>
  CODEX.launch({
    ...{ root: '/plugin', home: '/a "home"', socket: '/run/x.sock', input: '/run/x.jsonl' },
    room: false,
    ...{ program: '/opt/codex', given },
  })

describe('an agent', () => {
  test('is known by its name, and by its program wherever that is', () => {
    expect(agentOf('codex')).toBe(CODEX)
    expect(agentOf('toString')).toBeUndefined()
    expect(agentOfProgram('codex')).toBe(CODEX)
    expect(agentOfProgram('/opt/bin/claude')).toBe(CLAUDE)
    expect(agentOfProgram('codex-wrapper')).toBeUndefined()
    expect(agentOfProgram(undefined)).toBeUndefined()
    expect(howToInstall(CLAUDE)).toContain('npm install -g @anthropic-ai/claude-code')
  })

  test('has a name and a program that no other has', () => {
    const words = AGENTS.flatMap(({ name, programs }) => [name, ...programs.slice(1)])
    expect(new Set(words).size).toBe(words.length)
  })

  test('that wakes by a queue says how that is spoken to', () => {
    for (const { wake, queue } of AGENTS) expect(queue !== undefined).toBe(wake === 'queue')
  })
})

describe('Claude Code', () => {
  test('gets our plugin, and the room beside it where that is wanted', () => {
    const at = {
      root: '/plugin',
      home: '/home',
      socket: '',
      input: '',
      program: 'claude',
      given: [],
    }
    expect(CLAUDE.launch({ ...at, room: false }).before.slice(-2)).toEqual([
      '--plugin-dir',
      '/plugin',
    ])
    expect(CLAUDE.launch({ ...at, room: true }).before.slice(-4)).toEqual(
      ['/plugin', '/plugin/room'].flatMap((folder) => ['--plugin-dir', folder]),
    )
  })
})

describe('Codex', () => {
  test('gets a server of its own, on the session’s socket, and no port', () => {
    const { behind, server } = launch('--model', 'x')
    expect(behind).toEqual(['--remote', 'unix:///run/x.sock'])
    expect(server?.argv.slice(0, 4)).toEqual([
      ...['/opt/codex', 'app-server', '--listen', 'unix:///run/x.sock'],
    ])
    expect(server?.argv).toContain('sandbox_workspace_write.writable_roots=["/a \\"home\\""]')
    expect(server?.argv).toContain('allow_login_shell=false')
  })

  test.each([['--remote=unix:///mine'], ['--remote'], ['--no-daemon']])(
    'with %s of the user’s gets none',
    (word) => expect(launch(word).server).toBeUndefined(),
  )
})
