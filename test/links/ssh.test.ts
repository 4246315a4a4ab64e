import { expect, onTestFinished, test } from 'vitest'
import { outcome } from '../../src/testing/cli.ts'
import { filesIn, tempDirectory } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { end, inHome, linkArgs, linked, makePair, startLink } from './pair.ts'

test('two homes over a real ssh: queued, arrived, read, answered; refused; --once; unlink', async () => {
  const pair = await makePair(tempDirectory(), { a: ['backend'], b: ['frontend'] })
  onTestFinished(() => pair.sshd.stop())
  const { a, b } = pair
  const link = startLink(pair)
  await linked(pair)
  const args = [
    'send',
    '@frontend.b',
    'GET /tasks is ready',
    '--as',
    'backend',
    '--wait',
    'arrived',
  ]
  const sent = await inHome(a, ...args)
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  expect(sent.stdout).toMatch(
    /^queued \w+ for @frontend\.b \(b last seen \d+ s ago\)\narrived \w+\n$/,
  )
  const id = /^queued (\w+)/.exec(sent.stdout)?.[1] ?? ''
  const read = await inHome(b, 'inbox', 'frontend')
  expect(read.stdout).toContain('from @backend.a (another machine) · note')
  // A message has one short id on both machines.
  expect(
    (await inHome(b, 'reply', id, 'thanks, page 2 as well?', '--as', 'frontend')).stdout,
  ).toMatch(/^queued \w+ for @backend\.a/)
  await until('the answer arrives', () => filesIn(a.inbox('backend')).length === 1)
  // What became of it may be told after the answer.
  await until('the receipt arrives', async () => {
    const { stdout } = await inHome(a, 'show', id)
    return ['arrived', 'read', 'answered'].every((stage) => stdout.includes(`\n  ${stage} `))
  })
  expect((await inHome(a, 'who', '--all')).stdout).toContain('@frontend.b')
  expect(await inHome(a, 'send', '@frontend', 'hello', '--as', 'backend')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('on another machine there is: @frontend.b'),
  })
  expect(
    await inHome(a, 'send', '@nobody.b', 'hello', '--as', 'human', '--queue', '--wait', 'arrived'),
  ).toMatchObject({ code: 10, stderr: expect.stringContaining('b did not take') })
  expect(await end(link)).toMatchObject({ stderr: expect.stringContaining('refused a message') })
  const waits = ['send', '@frontend.b', 'later', '--as', 'human', '--wait', 'arrived', '-t', '1']
  expect(await inHome(a, ...waits)).toMatchObject({
    code: 9,
    stderr: expect.stringContaining('it stays queued, do not send it again'),
  })
  expect(await inHome(a, 'unlink', 'b')).toMatchObject({ code: 2 })
  expect(await inHome(a, ...linkArgs(pair, '--once'))).toMatchObject({
    code: 0,
    stdout: 'linked with b\nall is delivered\n',
  })
  expect(filesIn(b.inbox('frontend'))).toHaveLength(1)
  expect(await inHome(b, 'unlink', 'a')).toMatchObject({ code: 0 })
  expect(await inHome(a, ...linkArgs(pair, '--once'))).toMatchObject({
    code: 10,
    stderr: expect.stringContaining('hint: to link it again, on b: agent-chat link --allow a'),
  })
})

test('a machine that is unlinked while it is connected and sends is out at once', async () => {
  const pair = await makePair(tempDirectory(), { a: ['backend'], b: ['frontend'] })
  onTestFinished(() => pair.sshd.stop())
  const { a, b } = pair
  const link = startLink(pair)
  const ended = outcome(link)
  await linked(pair)
  let sending = true
  const stream = (async () => {
    for (let n = 0; sending && n < 500; n++)
      await inHome(a, 'send', '@frontend.b', `message ${n}`, '--as', 'human', '--queue')
  })()
  const there = () => filesIn(b.inbox('frontend')).length
  await until('messages arrive', () => there() > 2)
  expect(await inHome(b, 'unlink', 'a')).toMatchObject({ code: 0, stdout: 'unlinked a\n' })
  const arrived = there()
  expect((await inHome(b, 'links')).stdout).toContain('no machine is linked')
  // The dialler is told why, and ends; what is sent now stays in its queue.
  const { code, stderr } = await ended
  expect({ code, stderr }).toEqual({
    code: 10,
    stderr: expect.stringContaining('hint: to link it again, on b: agent-chat link --allow a'),
  })
  await until('messages wait', () => filesIn(a.out('b')).length > 1)
  sending = false
  await stream
  expect(there()).toBe(arrived)
})

test.each<[end: string, signal: NodeJS.Signals, comesBack: boolean]>([
  ['a power cut', 'SIGKILL', true],
  ['a closed terminal', 'SIGHUP', true],
  ['Ctrl-C', 'SIGINT', false],
])('after %s, resume brings a link back: %s', async (_, signal, comesBack) => {
  const pair = await makePair(tempDirectory(), { a: ['backend'], b: ['frontend'] })
  onTestFinished(() => pair.sshd.stop())
  const { a } = pair
  const link = startLink(pair)
  await linked(pair)
  expect(await inHome(a, 'resume', '--all', '--dry-run')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no session ended'),
  })
  await end(link, signal)
  const { stdout } = await inHome(a, 'resume', '--all', '--dry-run')
  expect(stdout.match(/^link b .* a link .* what is queued$/m) !== null).toBe(comesBack)
  const args = ['send', '@frontend.b', 'are you there?', '--as', 'human', '--queue']
  expect(await inHome(a, ...args)).toMatchObject({ code: 0 })
  const back = await inHome(a, 'resume', '--all', '--yes')
  expect(back).toMatchObject({ code: 0, stderr: '' })
  const pid = Number(/^✓ the link to b .*\(process (\d+)\)$/m.exec(back.stdout)?.[1] ?? 0)
  if (pid > 0) onTestFinished(() => void process.kill(pid, 'SIGINT'))
  expect(pid > 0, back.stdout).toBe(comesBack)
  if (!comesBack) return
  await until('the message arrives', () => filesIn(pair.b.inbox('frontend')).length === 1)
})
