import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Home, homeAt } from '../../src/bus/home.ts'
import { readMe, writeMe } from '../../src/bus/remote/peers.ts'
import { DIST, type Run } from '../../src/testing/cli.ts'
import { filesIn, tempBus, tempDirectory, tempHome } from '../../src/testing/home.ts'
import { runAsOwner } from '../../src/testing/human.ts'
import { farEnd, letter } from './stdio.ts'

/** A home whose `ssh` is this script, and one on the other machine. */
function world(script = '') {
  const directory = tempDirectory()
  const [a, b] = [tempHome('backend'), homeAt(join(directory, 'b'))]
  const far = `env AGENT_CHAT_HOME='${b.root}' '${process.execPath}' '${join(DIST, 'main.js')}' link --stdio --peer a`
  const sayWith = (text: string) =>
    writeFileSync(join(directory, 'ssh'), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  mkdirSync(b.root)
  sayWith(script || `exec ${far}`)
  const path = `${directory}:${process.env.PATH}`
  const on = (home: Home, ...args: string[]): Promise<Run> =>
    runAsOwner(args, { home: home.root, env: { PATH: path } })
  return { a, b, on, sayWith, far: `exec ${far}` }
}

const hintOf = ({ stderr }: Run) => /hint: (.*)/.exec(stderr)?.[1]

test.each([
  ['ssh: connect to host 127.0.0.1 port 22: Connection refused', 'try it by hand: ssh -p 2222'],
  ['me@127.0.0.1: Permission denied (publickey).', 'try it by hand: ssh -p 2222'],
  ['bash: line 1: agent-chat: command not found', 'agent-chat is not on the PATH'],
  ['sh: 1: agent-chat: not found', 'agent-chat is not on the PATH'],
])('a first link that fails with %j has the hint for that', async (said, hint) => {
  const { a, on } = world(`echo '${said}' >&2; exit 255`)
  const run = await on(a, 'link', 'me@127.0.0.1', '--as', 'a', '--', '-p', '2222')
  expect(run.code).toBe(9)
  expect(hintOf(run)).toContain(hint)
})

test.each([
  ['an option of ssh before --', ['-p', '2222']],
  ['a word that is no option', ['2222']],
])('%s is refused with where it goes', async (_, words) => {
  const { a, on } = world()
  const run = await on(a, 'link', 'me@b', ...words)
  expect(run.code).toBe(2)
  expect(hintOf(run)).toMatch(/^options of ssh go after --: agent-chat link \S+ -- -p 2222/)
})

test('the name of a first link that failed may be given anew; one that a machine knows stays', async () => {
  const { a, on, sayWith, far } = world('echo no >&2; exit 255')
  expect(await on(a, 'link', 'b', '--once')).toMatchObject({ code: 9 })
  sayWith(far)
  const again = await on(a, 'link', 'me@b', '--as', 'a', '--peer', 'b', '--once')
  expect(again).toMatchObject({ code: 0, stdout: 'linked with b\nall is delivered\n' })
  expect(await on(a, 'link', 'b', '--as', 'other', '--once')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('this machine is called a already'),
  })
})

test('a link that has ended is down at once, on both sides', async () => {
  const { a, b, on } = world()
  await on(a, 'link', 'me@b', '--as', 'a', '--peer', 'b', '--once')
  for (const home of [a, b]) {
    const [link] = JSON.parse((await on(home, 'links', '--json')).stdout).links
    expect(link).toMatchObject({ up: false, seen: expect.any(String) })
  }
})

test('unlink keeps the way: allowed again, the machine is dialled by its name alone', async () => {
  const { a, on } = world()
  await on(a, 'link', 'me@b', '--as', 'a', '--peer', 'b', '--once')
  expect(await on(a, 'unlink', 'b')).toMatchObject({ code: 0, stderr: '' })
  const refused = await on(a, 'link', 'b', '--once')
  expect(refused).toMatchObject({
    code: 10,
    stderr: expect.stringContaining('b was unlinked on a\n'),
  })
  expect(hintOf(refused)).toBe('to link it again, on a: agent-chat link --allow b')
  expect((await on(a, 'link', '--allow', 'b')).stdout).toBe(
    'b may link again; to dial it: agent-chat link b\n',
  )
  expect(await on(a, 'link', 'b', '--once')).toMatchObject({ code: 0 })
})

test('status names the session that another machine has under that name', async () => {
  const { a, b, on } = world()
  await on(a, 'link', 'me@b', '--as', 'a', '--peer', 'b', '--once')
  await on(b, 'join', 'tests')
  await on(a, 'link', 'b', '--once')
  const run = await on(a, 'status', '@tests')
  expect(run.code).toBe(4)
  expect(hintOf(run)).toBe('on another machine there is: @tests.b')
})

test('a home that was replaced while the link runs refuses nothing: the message waits', async () => {
  const bus = tempBus(['frontend'])
  const { home } = bus
  const end = farEnd(home)
  end.hello()
  await end.hear('hello')
  const me = readMe(home)
  writeMe(bus, { host: 'b', id: 'another-home' })
  end.say({ f: 'msg', n: 1, letter: letter('one') })
  expect(await end.hear('ans', 1)).toMatchObject({ answer: { is: 'wait' } })
  if (me) writeMe(bus, me)
  end.say({ f: 'msg', n: 2, letter: letter('two') })
  expect(await end.hear('ans', 2)).toMatchObject({ answer: { is: 'arrived' } })
  expect(filesIn(home.inbox('frontend'))).toHaveLength(1)
})
