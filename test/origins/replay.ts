import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { noteRoom } from '../../src/session/room.ts'
import type { SessionState } from '../../src/session/state.ts'
import type { Turn } from '../../src/session/turn.ts'
import { promptKey } from '../../src/session/witness.ts'
import { noteWord } from '../../src/session/words.ts'
import { systemClock } from '../../src/system/clock.ts'
import { type ProcessRef, systemProcesses } from '../../src/system/processes.ts'
import { recorded, wrapped } from '../../src/testing/agent.ts'
import { runHookProcess } from '../../src/testing/cli.ts'
import { homeIn, removeTree } from '../../src/testing/home.ts'
import { type Line, type Recording, unfolded } from './recording.ts'

/** How a recording is played. `agent`: a process that runs, in the client's place. */
export type Way = { agent: ProcessRef; panel: boolean; before: 'open' | 'closed' | 'none' }

const THEN = '2026-11-21T03:39:12.123Z'
const TURN: Turn = {
  ...{ id: 'p0', began: 'human', at: THEN, opened: null, chain: 'c', work: 0, asked: [] },
  checked: 'p0',
}

/**
 * Gives what a client has told to the built hooks, in a session of its own; what they say to the
 * change that its model makes last: `pass` or `ask`.
 */
export async function replayed(recording: Recording, way: Way): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-chat-test-'))
  try {
    return await replayedIn(folder, recording, way)
  } finally {
    await removeTree(folder)
  }
}

async function replayedIn(folder: string, recording: Recording, way: Way): Promise<string> {
  const { bus, path, cwd } = sessionFor(folder, recording, way)
  const real = (text: string) =>
    text.replaceAll('<dir>/work', cwd).replaceAll('<dir>', cwd).replaceAll('<home>', cwd)
  const env = {
    AGENT_CHAT_NAME: 'frontend',
    CLAUDE_PID: String(way.agent.pid),
    CLAUDE_PROJECT_DIR: cwd,
  }
  let answer = ''
  let began = Date.now()
  for (const { lines, hook, payload, panel } of recording.steps) {
    appendFileSync(path, lines.map((line) => written(line, began, real)).join(''))
    const told: Record<string, unknown> = { ...unfolded(payload, real), transcript_path: path }
    began = Date.now()
    if (way.panel && panel && hook === 'user-prompt-submit') {
      const key = promptKey(String(told.prompt))
      const note = { kind: panel, key, at: began, typed: 0 }
      writeFileSync(bus.home.roomPrompt(way.agent.pid), JSON.stringify(note))
    }
    const run = await runHookProcess(hook, told, { home: bus.home.root, env, cwd })
    if (run.code !== 0) throw new Error(`${hook} ended with ${run.code}: ${run.stderr}`)
    answer = run.stdout
  }
  return answer === '' ? 'pass' : JSON.parse(answer).hookSpecificOutput.permissionDecision
}

function sessionFor(folder: string, { origin, known }: Recording, { agent, panel, before }: Way) {
  const home = homeIn(folder, 'frontend', 'backend')
  const bus = { home, clock: systemClock(), processes: systemProcesses() }
  const session = { name: 'frontend', agent, native: true, doorbell: 'auto' }
  const sessions = { frontend: session, backend: { name: 'backend' } }
  writeFileSync(bus.home.sessions, JSON.stringify(sessions))
  const state: SessionState = {
    ...{ activity: 'idle', since: THEN, session_id: 'one', agent, native: true, vim: false },
    ...{ gate: 'enforce', ...known },
    turn: before === 'open' ? TURN : { ...TURN, began: 'doorbell', chain: null },
  }
  // A session that was just joined has no state at all.
  if (before !== 'none') appendFileSync(bus.home.state('frontend'), JSON.stringify(state))
  if (panel) noteRoom(bus, { agent, since: THEN, client: '2.1.329' })
  const draft = { to: 'frontend', kind: 'note' as const, body: 'please do it' }
  if (/^A message/.test(origin)) sendMessage(bus, { ...draft, from: 'backend' })
  if (/^You send/.test(origin)) noteWord(bus, sendMessage(bus, { ...draft, from: 'human' }).message)
  const cwd = join(folder, 'work')
  mkdirSync(cwd)
  const path = join(cwd, 'record.jsonl')
  // The record tells of the turn before, too.
  const began = before === 'open' ? 'go on' : wrapped('New message from @backend. Check inbox.')
  if (before !== 'none') appendFileSync(path, recorded(began, TURN.id ?? ''))
  return { bus, path, cwd }
}

/** A line of the record, with a time on the right side of the hook before it. */
function written({ entry, early }: Line, began: number, real: (text: string) => string): string {
  const timestamp = new Date(early ? began - 1 : Date.now()).toISOString()
  return `${JSON.stringify({ ...unfolded(entry, real), timestamp })}\n`
}
