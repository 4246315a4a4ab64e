import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { sender } from './count.ts'
import { attacks, noteOf } from './hostile.ts'
import { end, startLink } from './pair.ts'
import { startSshd } from './sshd.ts'
import { drained, LONG, MESSAGES, page, runCase } from './world.ts'

const TIMES = 10

test('hostile', () =>
  runCase(`a third machine lies, floods and never ends a line, ${TIMES} times`, async (pair) => {
    const door = { home: pair.b.root, peer: 'c' }
    const second = await startSshd(join(pair.a.root, '../ssh-of-c'), { c: door })
    const silent: ChildProcess[] = []
    try {
      const link = startLink(pair, LONG)
      const send = sender(pair.a)
      const sent: string[] = []
      for (let time = 0; time < TIMES; time += 1) {
        for (let n = 0; n < MESSAGES / TIMES; n += 1) sent.push(send())
        silent.push(dial(second.ssh('c')))
        const said = attacks(sent.at(-1) ?? '').map((lines) => dial(second.ssh('c'), lines))
        await Promise.all(said.map((child) => new Promise((done) => child.once('exit', done))))
      }
      await drained(pair)
      await end(link)
      return { sent, note: noteOf(pair.b, sent) }
    } finally {
      for (const child of silent) child.kill('SIGKILL')
      await second.stop()
    }
  }))

/** Machine c says hello and these lines, and hangs up; without any it says nothing more. */
function dial(ssh: string[], lines?: string[]): ChildProcess {
  const child = spawn('ssh', [...ssh, '-T', 'c'], { stdio: ['pipe', 'ignore', 'ignore'] })
  const who = { host: 'c', home: 'home-of-c', to: 'b', sure: true, version: '1.0.0' }
  child.stdin.on('error', () => {})
  child.stdin.write(`${JSON.stringify({ f: 'hello', v: 1, ...who, at: Date.now() })}\n`)
  if (lines) child.stdin.end(`${lines.join('\n')}\n`)
  return child
}

afterAll(() => {
  process.stdout.write(page.text())
})
