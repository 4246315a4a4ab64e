import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../testing/until.ts'
import { besideArgv } from './server.ts'

const SERVER = `
  require('fs').writeFileSync(process.argv[2], String(process.pid))
  require('net').createServer().listen(process.argv[1])
`

/** An agent that says its arguments, and runs until its input ends, with a server beside it. */
function start(server: string = SERVER) {
  const folder = mkdtempSync(join(tmpdir(), 'ac-server-'))
  const [socket, pidFile] = [join(folder, 's.sock'), join(folder, 'pid')]
  const [program, ...args] = besideArgv(
    { socket, argv: [process.execPath, '-e', server, socket, pidFile] },
    ['sh', '-c', 'echo "$$ <$1> <$2>"; read -r line', 'agent', 'a b', '$(x)'],
  )
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let [said, complaint] = ['', '']
  child.stdout.on('data', (data) => (said += data))
  child.stderr.on('data', (data) => (complaint += data))
  return { folder, child, pidFile, said: () => said, complaint: () => complaint }
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`)

test.each(['SIGKILL', undefined] as const)(
  'the server starts before the agent, which becomes the process itself, and ends with it (%s)',
  async (signal) => {
    const { folder, child, pidFile, said } = start()
    await until('the agent', () => said().includes('\n'))
    expect(said()).toBe(`${child.pid} <a b> <$(x)>\n`)
    const server = Number(readFileSync(pidFile, 'utf8'))
    expect(isAlive(server)).toBe(true)
    if (signal) child.kill(signal)
    else child.stdin.end('\n')
    await until('their end', () => !isAlive(server) && readdirSync(folder).join() === 'pid')
  },
)

test('a server that ends at once is told of, and no agent starts', async () => {
  const { child, said, complaint } = start('console.error("why"); process.exit(2)')
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(code).toBe(1)
  expect(complaint()).toContain('why')
  expect(complaint()).toContain('the server of this agent did not start')
  expect(said()).toBe('')
})
