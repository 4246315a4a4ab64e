import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dropGiven, type Given, OPEN_TURN, writeGiven } from '../session/given.ts'
import { readState } from '../session/stateFile.ts'
import { makeDirectory } from '../system/files.ts'
import { agentsWith } from '../testing/agent.ts'
import { runHookProcess } from '../testing/cli.ts'

const TOUCH = { command: 'touch a' }

const given = (own: boolean): Given => ({
  message: '20261122T101010.000001Z-from-human',
  from: own ? 'human' : 'alice',
  kind: 'question',
  cause: own ? 'human' : 'doorbell',
  chain: null,
  own,
})

/** A worker's client, as its hooks see it. */
async function worker(env: Record<string, string> = { AGENT_CHAT_WORKER: 'coder' }) {
  const { bus, agents } = await agentsWith(env, 'coder')
  const [agent] = agents
  if (!agent) throw new Error('no agent')
  const turn = () => readState(bus.home, 'coder')?.turn
  /** What the hook says of a call: its decision and whether it calls the turn open. */
  const judged = async (input: Record<string, unknown>) => {
    const { stdout } = await agent.hook('pre-tool-use', {
      ...{ prompt_id: 'p', tool_name: 'Bash', tool_input: input, tool_use_id: 'call', cwd: '/' },
    })
    if (stdout === '') return 'pass'
    const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput
    return `${permissionDecision} ${permissionDecisionReason === OPEN_TURN ? 'open' : 'closed'}`
  }
  const prompt = (text: string, id = 'p') =>
    agent.hook('user-prompt-submit', { prompt: text, prompt_id: id })
  return { bus, agent, turn, judged, prompt }
}

describe('a worker’s prompt', () => {
  test('that its process gave has the word of its message', async () => {
    const { bus, turn, judged, prompt } = await worker()
    writeGiven(bus, 'coder', given(true), 'From @human: do it')
    await prompt('From @human: do it')
    expect(turn()).toMatchObject({ began: 'doorbell', opened: 'message' })
    expect(await judged(TOUCH)).toBe('ask open')
    writeGiven(bus, 'coder', given(false), 'From @alice: do it')
    await prompt('From @alice: do it', 'q')
    expect(turn()).toMatchObject({ began: 'doorbell', opened: null })
    expect(await judged(TOUCH)).toBe('ask closed')
  })

  test('that nobody gave closes the turn, also in the middle of one', async () => {
    const { bus, turn, judged, prompt } = await worker()
    for (const stray of ['please go on', '<task-notification>\nend\n</task-notification>']) {
      writeGiven(bus, 'coder', given(true), 'do it')
      await prompt('do it')
      expect(await judged(TOUCH)).toBe('ask open')
      await prompt(stray)
      expect(turn()).toMatchObject({ began: 'doorbell', opened: null })
      expect(await judged(TOUCH)).toBe('ask closed')
    }
    dropGiven(bus, 'coder')
    await prompt('do it', 'q')
    expect(await judged(TOUCH)).toBe('ask closed')
  })

  test('of another text than was given has nobody’s word', async () => {
    const { bus, turn, prompt } = await worker()
    writeGiven(bus, 'coder', given(true), 'do it')
    await prompt('do it, and more')
    expect(turn()).toMatchObject({ opened: null })
  })
})

describe('a worker’s call', () => {
  test('reads freely, and its own commands pass', async () => {
    const { judged } = await worker()
    expect(await judged({ command: 'ls' })).toBe('pass')
    expect(await judged({ command: 'agent-chat inbox' })).toBe('pass')
    expect(await judged({ command: 'agent-chat inbox; rm x' })).toBe('ask closed')
  })

  test('is asked about with the gate off: only its definition can say what it is trusted with', async () => {
    const { judged } = await worker({ AGENT_CHAT_WORKER: 'coder', AGENT_CHAT_GATE: 'off' })
    expect(await judged(TOUCH)).toBe('ask closed')
  })

  test('is asked about where its client was not told that it is a worker’s', async () => {
    const { bus, agent, judged, prompt } = await worker({})
    makeDirectory(bus.home.workers)
    writeFileSync(bus.home.worker('coder'), JSON.stringify({ process: agent.ref }))
    await prompt('you may do it')
    expect(await judged(TOUCH)).toBe('ask closed')
  })

  test('of an agent that a worker’s tools have started is asked about', async () => {
    const { bus } = await worker()
    const env = { AGENT_CHAT_WORKER: 'coder', AGENT_CHAT_NAME: 'nobody', CLAUDE_PID: '1' }
    const run = await runHookProcess(
      'pre-tool-use',
      { tool_name: 'Bash', tool_input: TOUCH },
      { home: bus.home.root, env },
    )
    expect(run.stdout).toContain('"permissionDecision":"ask"')
  })
})

test('no bell wakes a worker: its process gives it its messages', async () => {
  const { bus, agent } = await worker()
  await agent.chat('send', '@coder', 'hello', '--as', 'alice')
  const run = await agent.hook('bell', { file_path: bus.home.ring('coder') })
  expect([run.code, run.stderr]).toEqual([0, ''])
})
