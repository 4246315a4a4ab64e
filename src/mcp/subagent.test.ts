import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readArchived } from '../bus/mail/archive.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import type { Ports } from '../chat/ports.ts'
import { makeDirectory } from '../system/files.ts'
import { tempBus } from '../testing/home.ts'
import { callTool } from './call.ts'
import { TOOLS } from './table.ts'

/** @front, one of whose subagents makes the call `toolu_sub`. */
function world() {
  const bus = tempBus(['front', 'backend'])
  const calls = [{ call: 'toolu_sub', agent: 'a1', type: 'Explore' }]
  const agent = bus.processes.self()
  makeDirectory(bus.home.states)
  writeFileSync(
    bus.home.state('front'),
    JSON.stringify({ activity: 'busy', since: '2026-01-01T00:00:00.000Z', agent, calls }),
  )
  const note = { from: 'backend', to: 'front', kind: 'note', body: 'zebra' }
  const { id } = sendMessage(bus, note).message
  const env = { AGENT_CHAT_HOME: bus.home.root, AGENT_CHAT_NAME: 'front' }
  const tmux = { run: async () => ({ code: 1, stdout: '', stderr: '' }), runHere: async () => 0 }
  const ports = {
    ...{ env, tmux, bus: () => bus, notice: () => {} },
    isTerminal: async () => false,
  } as unknown as Ports
  const call = async (name: string, given: object, callId: string | undefined) => {
    const found = TOOLS.find((one) => one.name === name)
    if (!found) throw new Error(name)
    const after: (() => void)[] = []
    const signal = new AbortController().signal
    const rest = { signal, progress: () => {}, confirm: () => undefined }
    const afterAnswer = (work: () => void) => void after.push(work)
    const answer = await callTool(found, { ...rest, afterAnswer, given, callId }, ports)
    for (const work of after) work()
    return answer
  }
  return { bus, call, id }
}

test.each([
  ['a subagent', 'toolu_sub', true],
  ['the main conversation', 'toolu_main', false],
  ['nobody who is told', undefined, false],
])('inbox, called by %s', async (_, callId, isKept) => {
  const { bus, call, id } = world()
  const answer = await call('inbox', {}, callId)
  expect(answer).toMatchObject({ success: true, messages: [{ id, body: 'zebra' }] })
  expect(unreadIds(bus.home, 'front')).toEqual(isKept ? [id] : [])
  const says = 'the message stays unread: a subagent of @front reads here; '
  expect(String(answer.notes ?? '').includes(says)).toBe(isKept)
})

test.each([
  ['a subagent', 'toolu_sub', 'Explore'],
  ['the main conversation', 'toolu_main', undefined],
])('send, called by %s', async (_, callId, subagent) => {
  const { bus, call } = world()
  const sent = await call('send', { to: 'backend', message: 'which port?', question: true }, callId)
  expect(readArchived(bus.home, String(sent.message_id)).extra.subagent).toBe(subagent)
})
