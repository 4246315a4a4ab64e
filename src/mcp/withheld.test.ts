import { expect, test } from 'vitest'
import { sendMessage } from '../bus/mail/send.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import type { Ports } from '../chat/ports.ts'
import { OFF, PLUGIN, project, sessionIn } from '../testing/client.ts'
import { until } from '../testing/until.ts'
import { callTool } from './call.ts'
import { readResource } from './resources.ts'
import { TOOLS } from './table.ts'

/** What @front reads of a message, a task that it gave with its result, and an answer. */
async function world(settings: Parameters<typeof sessionIn>[0]) {
  const { bus } = await sessionIn(settings, { heard: true })
  const to = { from: 'backend', to: 'front' }
  const note = { ...to, kind: 'note', subject: 'a lion', body: 'zebra' }
  const sent = sendMessage(bus, note).message
  const mine = { from: 'front', to: 'backend', body: 'my words' }
  const task = sendMessage(bus, { ...mine, kind: 'task' }).message
  sendMessage(bus, { ...to, kind: 'result', body: 'zebra', inReplyTo: task })
  const env = { AGENT_CHAT_HOME: bus.home.root, AGENT_CHAT_NAME: 'front' }
  const tmux = { run: async () => ({ code: 1, stdout: '', stderr: '' }), runHere: async () => 0 }
  const ports = {
    ...{ env, tmux, bus: () => bus, notice: () => {} },
    isTerminal: async () => false,
    onStop: () => {},
  } as unknown as Ports
  const after: (() => void)[] = []
  const call = (name: string, given: object, callId?: string) => {
    const found = TOOLS.find((one) => one.name === name)
    if (!found) throw new Error(name)
    const signal = new AbortController().signal
    const rest = { signal, progress: () => {}, confirm: () => undefined }
    const afterAnswer = (work: () => void) => after.push(work)
    return callTool(found, { ...rest, afterAnswer, given, callId }, ports)
  }
  const answer = (question: string) =>
    sendMessage(bus, { ...to, kind: 'reply', body: 'zebra', inReplyTo: asked(question) })
  const asked = (id: string) => ({ ...sent, ...mine, kind: 'question', id, thread: id })
  const done = () => {
    for (const work of after) work()
  }
  return { bus, ports, call, answer, sent, done }
}

const SECRET = /zebra|lion/
const WHY = /hooks do not run here: \S+ has disableAllHooks/

test.each([
  ['where hooks do not run', project(OFF), false],
  ['where they run', PLUGIN, true],
])('a tool and a resource hand over text %s: they do not, or do', async (_, settings, whole) => {
  const { bus, call, ports, sent, done } = await world(settings)
  const answers = [
    ['search', await call('search', { message: 'zebra' })],
    ['history', await call('history', {})],
    ['tasks', await call('list_tasks', {})],
    ['inbox/me', await readResource('chat://inbox/me', ports)],
    ['thread', await readResource(`chat://thread/${sent.id}`, ports)],
    ['inbox', await call('inbox', {})],
  ]
  for (const [what, answer] of answers) {
    const text = JSON.stringify(answer)
    expect([what, SECRET.test(text), WHY.test(text)]).toEqual([what, whole, !whole])
    expect(text).toContain('backend')
  }
  done()
  expect(unreadIds(bus.home, 'front')).toHaveLength(whole ? 0 : 2)
})

test('who names the reason', async () => {
  const { call } = await world(project(OFF))
  const { sessions } = await call('who', {})
  expect(sessions).toContainEqual(
    expect.objectContaining({ name: 'front', no_hooks: expect.stringMatching(WHY) }),
  )
})

test('an answer that was waited for stays unread', async () => {
  const { bus, call, answer, done } = await world(project(OFF))
  const consulted = call('consult', { to: 'backend', message: 'Why?', timeout_seconds: 20 })
  // Its task is there already.
  await until('it is asked', () => unreadIds(bus.home, 'backend').length === 2)
  answer(unreadIds(bus.home, 'backend').at(-1) ?? '')
  expect(await consulted).toMatchObject({ answered: true, answer: expect.stringMatching(WHY) })
  done()
  expect(unreadIds(bus.home, 'front')).toHaveLength(3)
})
