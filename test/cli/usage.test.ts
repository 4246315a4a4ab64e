import { expect, test } from 'vitest'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { tempBus } from '../../src/testing/home.ts'
import { runAsOwner } from '../../src/testing/human.ts'

/** A home with two sessions, and the built program in it. */
function world() {
  const bus = tempBus(['backend', 'frontend'])
  const run = (...args: string[]) => runAsOwner(args, { home: bus.home.root })
  const send = (body = 'ready') =>
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body }).message.id
  return { bus, run, send }
}

test('--json may stand before the command', async () => {
  const { run } = world()
  const { code, stdout } = await run('--json', 'who')
  expect({
    code,
    names: JSON.parse(stdout).sessions.map(({ name }: { name: string }) => name),
  }).toEqual({
    code: 0,
    names: ['backend', 'frontend'],
  })
})

test.each([
  ['send', '@frontend', 'x', '--as', 'all'],
  ['send', '@frontend', 'x', '--as', 'agent-chat'],
  ['escalate', 'x', '--as', 'send'],
])('nobody speaks as a word with a meaning: %s %s %s %s %s', async (...args) => {
  const { run } = world()
  expect(await run(...args)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/is reserved\n {2}hint: /),
  })
})

test.each([
  [['send', '@frontend', 'x', '--as', 'backend', '--timeout', '3'], '--timeout needs --wait'],
  [['watch-file', '--list', '--remove', 'api.yaml'], '--list and --remove exclude each other'],
])('%j is bad usage', async (args, says) => {
  const { run } = world()
  expect(await run(...args)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(says),
  })
})

test.each([
  [['watch-file', '--remove'], 'agent-chat watch-file --remove <path>'],
  [['escalate'], '--option "keep it for a release" --context "two clients still read it"'],
])('%j: the hint can be typed', async (args, hint) => {
  const { run } = world()
  expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(hint) })
})

test('a name that no session can have is not suggested for one', async () => {
  const { run } = world()
  const { code, stderr } = await run('send', '@read', 'x', '--as', 'backend')
  expect({ code, start: stderr.includes('agent-chat @read') }).toEqual({ code: 4, start: false })
})

test('what is left of an inbox that was named is asked for by its name', async () => {
  const { run, send } = world()
  for (let count = 0; count < 3; count += 1) send()
  const { stdout } = await run('inbox', 'frontend', '--peek', '--limit', '1')
  const [, command = ''] = /more unread: agent-chat (.*)/.exec(stdout) ?? []
  expect(command).toBe('inbox frontend --peek --full')
  expect((await run(...command.split(' '))).stdout).toContain('3 unread messages for @frontend')
})

test('no messages are wanted, or none are there with that name', async () => {
  const { run, send } = world()
  send()
  expect((await run('history', '0')).stdout).toBe('')
  expect((await run('history', '--with', '@docs')).stdout).toBe(
    'no messages from or to @docs yet\n',
  )
})

test('an export to - goes to standard output, and has priority and attachments', async () => {
  const { bus, run } = world()
  await run(
    'send',
    '@frontend',
    'see',
    '--attach',
    bus.home.sessions,
    '--urgent',
    '--as',
    'backend',
  )
  const { stdout } = await run('export', '--out', '-')
  expect(stdout).toMatch(/@backend → @frontend · urgent note\n/)
  expect(stdout).toMatch(/^- attached: \S*sessions\S*json · [\d,]+ bytes · sha256 `[0-9a-f]{64}`$/m)
})

test('a decision is answered once; its answer also marks it read', async () => {
  const { run } = world()
  await run('escalate', 'Drop it?', '--option', 'yes', '--option', 'no', '--as', 'backend')
  expect((await run('inbox', 'human', '--count')).stdout).toBe('1\n')
  const first = await run('reply', '1', '2', '--as', 'human')
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' })
  expect((await run('inbox', 'human', '--count')).stdout).toBe('0\n')
  const id = /^sent (\S+)/.exec(first.stdout)?.[1]
  const again = await run('reply', '1', '1', '--as', 'human')
  expect(again).toMatchObject({ code: 2, stdout: '' })
  expect(again.stderr).toMatch(
    new RegExp(
      `^agent-chat: decision 1 already has an answer: ${id}\n  hint: to say more: agent-chat send @backend --reply-to \\w{5} "…"\n$`,
    ),
  )
  expect((await run('reply', '1', '--question', 'Which column?', '--as', 'human')).code).toBe(0)
})
