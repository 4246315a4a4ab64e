import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '../../src/agents/agent.ts'
import { permissionRequest } from '../../src/hooks/events/activity.ts'
import { preToolUse } from '../../src/hooks/events/tool.ts'
import { postToolUse } from '../../src/hooks/events/tool-end.ts'
import type { HookPorts } from '../../src/hooks/ports.ts'
import { changeState, readState } from '../../src/session/stateFile.ts'
import { noteResult, recorded, wrapped } from '../../src/testing/agent.ts'
import { tempBus, tempDirectory } from '../../src/testing/home.ts'
import type { Script } from '../../src/trust/allow/file.ts'
import { scriptOf } from '../../src/trust/allow/script.ts'
import { wordsOf } from '../../src/trust/shell/reading.ts'

export type Call = [tool: string, input: Record<string, unknown>]

const AT = new Date(0).toISOString()
export const bash = (command: string): Call => ['Bash', { command }]

/** A session in a project where this is allowed, whose hooks run in this process. */
export function allowWorld(...allowed: string[]) {
  return worldOf(allowed, undefined)
}

/**
 * Says yes to each decision, and to the like for the rest of the turn; to all of it at an edit, where
 * a file `all` lies beside it. `asked` has a line for each.
 */
const DECIDER = `const fs = require('node:fs')
let text = ''
process.stdin.on('data', (more) => { text += more })
process.stdin.on('end', () => {
  const { call, like, early } = JSON.parse(text)
  if (!early) fs.appendFileSync(__dirname + '/asked', call.name + '\\n')
  const all = /patch|edit/i.test(call.name) && fs.existsSync(__dirname + '/all')
  console.log(JSON.stringify({ allow: true, ...(all ? { more: 'all' } : like && { more: 'like' }) }))
})`

/**
 * The same for an agent that puts its questions as decisions, and a human who says yes to each.
 * `opens`: at the first edit of a turn they choose everything else in it.
 */
export function worldOf(allowed: string[], agent: Agent | undefined, opens = false) {
  const bus = tempBus(['frontend'])
  const above = agent && bus.processes.find(process.ppid)
  const host = above ? { pid: above.pid, started: above.started } : null
  // Its hooks look for it among the processes above them.
  if (agent) {
    const session = {
      name: 'frontend',
      pane: null,
      joined_at: AT,
      program: agent.name,
      agent: host,
    }
    writeFileSync(bus.home.sessions, JSON.stringify({ frontend: session }))
  }
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
  const tools = tempDirectory()
  writeFileSync(join(tools, 'decide.cjs'), DECIDER)
  if (opens) writeFileSync(join(tools, 'all'), '')
  const ports: HookPorts = {
    ...(agent && { agent }),
    env: { AGENT_CHAT_NAME: 'frontend', CLAUDE_PROJECT_DIR: root, PATH: '/usr/bin:/bin' },
    bus: () => bus,
    self: { node: process.execPath, script: join(tools, 'decide.cjs') },
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
      ...{ activity: 'busy', since: AT, agent: host, native: true, gate: 'enforce', turn },
      ...{ session_id: null, vim: false },
    }))
    const ring = wrapped('New message from @backend. Check inbox.')
    appendFileSync(transcript_path, recorded(ring, turn.id))
  }
  const decisions = () =>
    existsSync(join(tools, 'asked')) ? readFileSync(join(tools, 'asked'), 'utf8').length : 0
  const turn = () => readState(bus.home, 'frontend')?.turn
  /** What is said to a call: `pass`, `ask` or `deny`. With a yes, an asked one runs. */
  const may = async ([tool_name, tool_input]: Call, yes = true): Promise<string> => {
    const id = { tool_use_id: `call-${++calls}`, prompt_id: `p${turns}` }
    const payload = { ...id, tool_name, tool_input, cwd: root, transcript_path }
    const before = decisions()
    const { stdout } = await preToolUse(ports, payload)
    if (decisions() > before) return 'ask'
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
  const edit = (name = 'src/a.ts'): Call =>
    agent?.name === 'codex'
      ? ['apply_patch', { command: `*** Begin Patch\n*** Add File: ${name}\n+x\n*** End Patch` }]
      : ['Edit', { file_path: join(root, name) }]
  return { bus, root, write, begin, turn, may, turnOf, edit }
}
