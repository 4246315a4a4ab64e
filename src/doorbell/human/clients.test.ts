import { describe, expect, test } from 'vitest'
import { CodedError } from '../../errors.ts'
import type { Tmux, TmuxAnswer } from '../../system/tmux.ts'
import { attachedClients, showInClients, ttysIn } from './clients.ts'

const DONE: TmuxAnswer = { code: 0, stdout: '', stderr: '' }
const ONE = { socket: '/tmp/one', tty: '/dev/pts/1' }

/** A tmux that answers as told, and keeps what it was asked. */
function fakeTmux(answer: (args: string[], socket: string | undefined) => TmuxAnswer) {
  const asked: { socket: string | undefined; args: string[]; limitMs: number | undefined }[] = []
  const tmux: Tmux = {
    run: async (args, socket, limitMs) => {
      asked.push({ socket, args, limitMs })
      return answer(args, socket)
    },
    runHere: async () => 0,
  }
  return { tmux, asked }
}

test.each([
  ['', []],
  ['0 /dev/pts/1\n0 /dev/ttys003\n', ['/dev/pts/1', '/dev/ttys003']],
  ['1 /dev/pts/1\n1 \n0 \n', []],
  ['0 /dev/pts/1;kill-server\n0 pts/2\n0 /dev/#(touch x)\n', []],
])('the clients in %j', (list, ttys) => {
  expect(ttysIn(list)).toEqual(ttys)
})

describe('the clients of several servers', () => {
  test('are those of the servers that answer', async () => {
    const { tmux, asked } = fakeTmux((_args, socket) =>
      socket === '/tmp/gone'
        ? { code: 1, stdout: '', stderr: 'no server running' }
        : { ...DONE, stdout: '0 /dev/pts/1\n' },
    )
    expect(await attachedClients(tmux, ['/tmp/gone', '/tmp/one'])).toEqual([ONE])
    expect(asked.every(({ limitMs }) => limitMs !== undefined && limitMs <= 500)).toBe(true)
  })

  test('are none without tmux', async () => {
    const { tmux } = fakeTmux(() => {
      throw new CodedError('PROGRAM_MISSING', 'tmux is not installed', { hint: '' })
    })
    expect(await attachedClients(tmux, ['/tmp/one'])).toEqual([])
    expect(await showInClients(tmux, [ONE], 'x')).toBe(false)
  })
})

describe('a line', () => {
  test('is shown in each client, by one command of each server', async () => {
    const { tmux, asked } = fakeTmux(() => DONE)
    const clients = [
      ONE,
      { socket: '/tmp/two', tty: '/dev/pts/2' },
      { socket: '/tmp/one', tty: '/dev/pts/3' },
    ]
    expect(await showInClients(tmux, clients, 'decision (#3)')).toBe(true)
    const show = (tty: string) => ['display-message', '-c', tty, '-d', '4000', 'decision (##3)']
    expect(asked.map(({ socket, args }) => [socket, args])).toEqual([
      ['/tmp/one', [...show('/dev/pts/1'), ';', ...show('/dev/pts/3')]],
      ['/tmp/two', show('/dev/pts/2')],
    ])
  })

  test.each([
    'usage: display-message [-aIpv] [-c target-client]',
    'command display-message: unknown flag -d',
  ])('is shown without -d where tmux says: %s', async (stderr) => {
    const { tmux, asked } = fakeTmux((args) =>
      args.includes('-d') ? { code: 1, stdout: '', stderr } : DONE,
    )
    expect(await showInClients(tmux, [ONE], 'x')).toBe(true)
    expect(asked.at(-1)?.args).toEqual(['display-message', '-c', '/dev/pts/1', 'x'])
  })

  test('is not tried again where the server is gone', async () => {
    const { tmux, asked } = fakeTmux(() => ({
      code: 1,
      stdout: '',
      stderr: 'no server running on /tmp/one',
    }))
    expect(await showInClients(tmux, [ONE], 'x')).toBe(false)
    expect(asked).toHaveLength(1)
  })

  test('is shown to nobody where nobody is attached', async () => {
    const { tmux, asked } = fakeTmux(() => DONE)
    expect(await showInClients(tmux, [], 'x')).toBe(false)
    expect(asked).toEqual([])
  })
})
