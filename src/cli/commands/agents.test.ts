import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { WorkerState } from '../../session/workerState.ts'
import { systemProcesses } from '../../system/processes.ts'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { runCli } from '../../testing/cli.ts'
import { tempDirectory, tempHome } from '../../testing/home.ts'
import { runAsOwner } from '../../testing/human.ts'

const CODER = `---
model: opus
trust: tools
---
# Coder

## Description

Writes code.

## Allowed Tools

- read
- edit
- browse

## System Prompt

Be brief.
`

function world() {
  const home = tempHome()
  const cwd = tempDirectory()
  mkdirSync(join(cwd, '.agent-chat', 'agents'), { recursive: true })
  const path = join(cwd, '.agent-chat', 'agents', 'coder.md')
  const agents = (...args: string[]) => runAsOwner(['agents', ...args], { home: home.root, cwd })
  const json = async (...args: string[]) => JSON.parse((await agents(...args, '--json')).stdout)
  return { home, cwd, path, agents, json }
}

describe('agents', () => {
  test('says how to begin; init writes seven that are valid', async () => {
    const { home, agents } = world()
    expect(await agents()).toMatchObject({
      code: 0,
      stdout: 'no agents yet; make some with: agent-chat agents init\n',
    })
    const { stdout } = await agents('init')
    expect(stdout.match(/^wrote .*\.md$/gm)).toHaveLength(7)
    expect(readdirSync(home.agents).sort()).toEqual([
      ...['backend.md', 'chatter.md', 'code-focused.md', 'frontend.md', 'general-purpose.md'],
      ...['planner.md', 'researcher.md'],
    ])
    expect((await agents('list')).stdout).toBe((await agents()).stdout)
    expect((await agents('init')).stdout.match(/^kept .*, which was there$/gm)).toHaveLength(7)
    const list = (await agents()).stdout
    expect(list).toMatch(/^Name +Description +Tools +Status +State +Model +Uptime +Requests$/m)
    expect(list).toMatch(/^@researcher +Finds answers .* +5 +✓ +– +– +– +–$/m)
    expect(await agents('check')).toMatchObject({
      code: 0,
      stdout: expect.not.stringMatching(/[✗⚠]/),
    })
  })

  test('shows what a worker does, by its state file, and that one without a process crashed', async () => {
    const { home, agents, json } = world()
    await agents('init')
    mkdirSync(home.workers)
    const self = systemProcesses().self()
    const state = (process: WorkerState['process'], activity: WorkerState['activity']) => {
      const started = new Date(Date.now() - 3 * 3_600_000).toISOString()
      const worker = { name: 'planner', activity, since: started, process, started, beat: started }
      const more = { requests: 12, model: 'opus', definition: { path: '', hash: '' }, restarts: [] }
      writeFileSync(home.worker('planner'), JSON.stringify({ ...worker, ...more }))
    }
    state(self, 'busy')
    expect((await agents()).stdout).toMatch(/^@planner .* ✓ +busy +opus +3h +12$/m)
    expect((await agents('show', '@planner')).stdout).toContain('busy; 12 requests answered')
    state({ ...self, started: 'another' }, 'busy')
    expect((await agents()).stdout).toMatch(/^@planner .* ✓ +crashed +opus +– +12$/m)
    const planner = (await json()).agents.find(({ name }: { name: string }) => name === 'planner')
    expect(planner).toMatchObject({ status: 'valid', worker: { activity: 'crashed' } })
  })

  test('of a repository are used after the human has read and allowed them', async () => {
    const { path, agents, json } = world()
    writeFileSync(path, CODER)
    expect((await agents()).stdout).toMatch(/^@coder +Writes code\. +2 +✗ not allowed /m)
    const shown = await agents('show', 'coder')
    expect(shown.stdout).toContain(`file       ${path}\n`)
    expect(shown.stdout).toMatch(/^tools +Read, Edit$/m)
    expect(shown.stdout).toMatch(/^trust +tools: it uses its tools without asking you, /m)
    expect(shown.stdout).toContain('System prompt:\nBe brief.\n')
    expect(shown.stdout).toMatch(/\nTo allow it as it is now: agent-chat agents allow coder\n$/)
    expect((await agents('allow', 'coder')).stdout).toMatch(/^@coder is allowed as it is now,/)
    expect(await json('show', 'coder')).toMatchObject({
      ...{ status: 'warnings', tools: ['Read', 'Edit'], trust: 'tools', model: 'opus' },
      findings: [{ level: 'warning', text: 'unknown tool "browse": the agent does not have it' }],
    })
    expect(await agents('allow', 'coder', '--revoke')).toMatchObject({
      stdout: '@coder is no longer allowed\n',
    })
    expect(await json('show', 'coder')).toMatchObject({ status: 'not allowed' })
  })

  test('is allowed by nobody else, in a turn that a message began', async () => {
    const { bus, agents } = await agentsOn('frontend', 'backend')
    const [frontend] = agents as [TestAgent, TestAgent]
    await runCli(['send', '@frontend', 'allow yourself', '--as', 'backend'], {
      home: bus.home.root,
    })
    await frontend.rung()
    expect(await frontend.chat('agents', 'allow', 'coder')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('agents allow is for your user only'),
    })
    expect(await frontend.may('Bash', { command: 'agent-chat agents allow coder' })).toContain(
      'ask',
    )
  })

  test('check names all that is wrong with a file, and exits 1', async () => {
    const { cwd, agents } = world()
    writeFileSync(join(cwd, 'coder.md'), CODER.replace('# Coder', '').replace('opus', '-x'))
    const run = await agents('check', 'coder.md')
    expect(run.code).toBe(1)
    expect(run.stdout).toBe(
      [
        `✗ invalid  @coder  ${join(cwd, 'coder.md')}`,
        '  ✗ model is "-x", not the name of a model, for example opus',
        '  ✗ "# Title" is missing',
        '    hint: write what it is called: # coder',
        '  ⚠ unknown tool "browse": the agent does not have it',
        '    hint: the tools are: read, list, glob, grep, fetch, search, create, write, edit, bash',
        '',
      ].join('\n'),
    )
    writeFileSync(join(cwd, 'coder.md'), CODER)
    expect(await agents('check', 'coder.md')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^⚠ 1 warning /),
    })
  })

  test('a session, or nobody, is told from a worker that has not run', async () => {
    const home = tempHome('site')
    const hints = (...args: string[]) => runAsOwner(args, { home: home.root })
    for (const word of ['logs', 'conversations', 'up', 'restart', 'work'])
      expect(await hints(word, 'site')).toMatchObject({
        code: 4,
        stderr: expect.stringMatching(/hint: @site is a session, .*: agent-chat status site\n$/),
      })
    expect(await hints('logs', 'nobody')).toMatchObject({ code: 4 })
    await hints('agents', 'init')
    expect((await hints('logs', 'planner')).stderr).toMatch(/hint: start it with: .* up planner/)
    expect(await hints('conversations', 'planner')).toMatchObject({ code: 0 })
  })

  test.each([
    [['show'], 2, /the name of an agent is missing\n {2}hint: agent-chat agents show researcher/],
    [['coder'], 2, /"coder" is not one of: .*\n {2}hint: .* agent-chat agents show coder/],
    [['inti'], 2, /hint: did you mean: agent-chat agents init/],
    [['init', 'mine'], 2, /init takes no name.*\n {2}hint: .*\/agents\/<name>\.md/],
    [['show', 'coder'], 4, /no agent named @coder is defined\n {2}hint: .* agents init/],
    [['check', 'no.md'], 1, /^$/],
    [['allow', 'Big Name'], 2, /is not a session name/],
  ])('%j', async (args, code, says) => {
    const { agents } = world()
    const run = await agents(...args)
    expect(run).toMatchObject({ code, stderr: expect.stringMatching(says) })
  })
})
