import { expect, test } from 'vitest'
import { sendMessage } from '../../bus/mail/send.ts'
import { addItem, changeItem } from '../../chat/list/list.ts'
import { shortId } from '../../message/shortId.ts'
import { runCli } from '../../testing/cli.ts'
import { tempBus } from '../../testing/home.ts'

function world() {
  const bus = tempBus(['carol', 'coder'])
  const run = async (name: string | undefined, ...args: string[]) => {
    const env = name === undefined ? {} : { AGENT_CHAT_NAME: name }
    return runCli(args, { home: bus.home.root, env })
  }
  return { bus, run }
}

test('the person sees the own list of a session, and the session its own', async () => {
  const { bus, run } = world()
  const late = addItem(bus, 'carol', { title: 'Buy milk', due_date: '2020-01-01' })
  const done = addItem(bus, 'carol', { title: 'Call dentist', priority: 'high' })
  changeItem(bus, 'carol', done.id, { status: 'completed' })
  const all = `${shortId(late.id)}  overdue    own list  Buy milk  (due 2020-01-01)
${shortId(done.id)}  completed  own list  Call dentist  (priority high)
`
  expect((await run(undefined, 'tasks', 'carol')).stdout).toBe(all)
  expect((await run('carol', 'tasks', '--mine')).stdout).toBe(all)
  const open = await run(undefined, 'tasks', '@carol', '--open', '--json')
  expect(JSON.parse(open.stdout)).toMatchObject({
    tasks: [],
    list: [{ id: shortId(late.id), title: 'Buy milk', overdue: true }],
  })
  expect((await run(undefined, 'tasks', 'coder')).stdout).toBe('no tasks\n')
  expect(await run(undefined, 'tasks', 'nobody')).toMatchObject({ code: 4 })
  expect(await run('carol', 'tasks', 'coder', '--mine')).toMatchObject({ code: 2 })
})

test('what a worker wrote and used is said by tasks, show and inbox', async () => {
  const { bus, run } = world()
  const task = { from: 'carol', to: 'coder', kind: 'task', body: 'Write a.txt' }
  const { message } = sendMessage(bus, task)
  const extra = {
    ...{ task_state: 'done', summary: 'It is written', artifacts: ['/work/a.txt'] },
    ...{ tokens_in: '1234', tokens_out: '56', cost_usd: '0.25' },
  }
  const result = { from: 'coder', to: 'carol', kind: 'result', inReplyTo: message, extra }
  sendMessage(bus, { ...result, body: 'It is written\n\nIn one go.' })
  const lines = ['artifact: /work/a.txt', 'cost: 1,234 tokens in, 56 out · $0.25']
  for (const args of [['tasks'], ['show', shortId(message.id)], ['inbox', '--peek']]) {
    const { stdout } = await run('carol', ...args)
    for (const line of [...lines, 'It is written']) expect(stdout).toContain(line)
  }
  expect((await run('carol', 'inbox')).stdout).toContain('summary: It is written\n')
})
