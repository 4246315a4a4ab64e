import { hasWord, type Turn } from '../session/turn.ts'
import { JUDGED } from '../trust/toolGate/table.ts'
import type { CheckEvent, Engine, Verdict } from './engine.ts'
import { ownFiles } from './own.ts'
import { ASKED } from './view.ts'

const JUDGES = new RegExp(JUDGED)

/** So much of the notes of the gate is read, from their end. In bytes. */
const TAIL = 16_384

/**
 * A call in a turn that no person began is stopped where the command hook has not judged it: it ran
 * out of time, or could not start. What it has judged goes on as it said.
 */
export async function checkBelt(
  $: Engine,
  e: CheckEvent,
  next: (e: CheckEvent) => Promise<Verdict>,
): Promise<Verdict> {
  const verdict = await next(e)
  const files = ownFiles()
  const id = e.tool_use_id
  if (!files || id === undefined || !JUDGES.test(e.tool)) return verdict
  if (verdict.decision === 'deny' || !(await isClosed($, files.state))) return verdict
  const judged = await judgedCall($, files.judged, id)
  if (judged?.asked !== undefined) await $.state.set(ASKED, { id, by: judged.asked })
  if (judged) return verdict
  return {
    decision: 'ask',
    reason: 'agent-chat: a message started this turn, not you, and the gate did not answer in time',
  }
}

/** A state that cannot be read tells of no turn: then the command hook judges alone. */
async function isClosed($: Engine, path: string): Promise<boolean> {
  let state: { gate?: string; turn?: Turn }
  try {
    state = JSON.parse(await $.fs.read(path))
  } catch {
    return false
  }
  return (state.gate ?? 'enforce') === 'enforce' && !hasWord(state.turn)
}

async function judgedCall(
  $: Engine,
  path: string,
  id: string,
): Promise<{ call: string; asked?: string } | undefined> {
  const { size } = await $.fs.stat(path)
  if (size === 0) return undefined
  const offset = Math.max(0, size - TAIL)
  const text = await $.fs.read(path, { offset, length: TAIL })
  const line = text.split('\n').find((one) => one.includes(`{"call":${JSON.stringify(id)}`))
  return line === undefined ? undefined : JSON.parse(line)
}
