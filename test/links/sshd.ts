import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { DIST } from '../../src/testing/cli.ts'
import type { Network } from './netns.ts'

const SSHD = '/usr/sbin/sshd'

/** Debian's openssh-server, installed here where it is missing: it takes root. */
export function ensureSshd() {
  if (existsSync(SSHD)) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (...args: string[]) => execFileSync('apt-get', args, { env, stdio: 'ignore' })
  run('update')
  run('install', '-y', '--no-install-recommends', 'openssh-server', 'openssh-client')
}

/** A key, the home that it leads into, and who is at the other side. */
export type Door = { home: string; peer: string; env?: Record<string, string> }

/** `ssh`: the arguments that go through a door. */
export type Sshd = {
  port: number
  ssh: (door: string) => string[]
  stop: () => Promise<void>
}

/**
 * A real sshd on 127.0.0.1, with keys and a configuration of its own. Each of `doors` is a key that
 * may do one thing: be the other end of a link into `home`, from the machine `peer`. Gives, for the
 * name of each door, the arguments of ssh that use it. With a network, it runs there.
 */
export async function startSshd(
  directory: string,
  doors: Record<string, Door>,
  { address, exec }: Pick<Network, 'address' | 'exec'> = { address: '127.0.0.1', exec: [] },
): Promise<Sshd> {
  ensureSshd()
  mkdirSync(directory, { recursive: true })
  // Debian's sshd wants this directory, which its service makes.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const port = await freePort()
  const at = (name: string) => join(directory, name)
  keygen(at('host'))
  const lines = Object.entries(doors).map(([name, { home, peer, env = {} }]) => {
    keygen(at(name))
    const variables = Object.entries({ AGENT_CHAT_HOME: home, ...env })
    const set = variables.map(([key, value]) => `${key}='${value}'`).join(' ')
    const command = `${set} exec '${process.execPath}' '${join(DIST, 'main.js')}' link --stdio --peer ${peer}`
    return `restrict,command="${command}" ${readFileSync(`${at(name)}.pub`, 'utf8')}`
  })
  writeFileSync(at('authorized_keys'), lines.join(''), { mode: 0o600 })
  writeFileSync(
    at('sshd_config'),
    [
      ...[`Port ${port}`, `ListenAddress ${address}`, `HostKey ${at('host')}`],
      ...[`AuthorizedKeysFile ${at('authorized_keys')}`, 'PidFile none', 'StrictModes no'],
      ...['UsePAM no', 'PasswordAuthentication no', 'KbdInteractiveAuthentication no'],
      ...['PermitRootLogin yes', 'MaxStartups 100', 'LogLevel ERROR', ''],
    ].join('\n'),
  )
  writeFileSync(
    at('known_hosts'),
    `[${address}]:${port} ${readFileSync(`${at('host')}.pub`, 'utf8')}`,
  )
  for (const name of Object.keys(doors))
    writeFileSync(at(`${name}.config`), clientOf(at, name, address, port))
  const [program = SSHD, ...args] = [...exec, SSHD, '-D', '-e', '-f', at('sshd_config')]
  const child = spawn(program, args, { stdio: 'ignore' })
  await listening(address, port)
  return {
    port,
    ssh: (name: string) => ['-F', at(`${name}.config`)],
    stop: () =>
      new Promise<void>((done) => {
        child.once('exit', () => done())
        child.kill()
      }),
  }
}

function clientOf(
  at: (name: string) => string,
  name: string,
  address: string,
  port: number,
): string {
  return [
    ...[`Host ${name}`, `HostName ${address}`, `Port ${port}`, `User ${userInfo().username}`],
    ...[`IdentityFile ${at(name)}`, 'IdentitiesOnly yes', 'IdentityAgent none'],
    ...[`UserKnownHostsFile ${at('known_hosts')}`, 'StrictHostKeyChecking yes', ''],
  ].join('\n')
}

function keygen(path: string): void {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'agent-chat-test', '-f', path])
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })
}

async function listening(address: string, port: number): Promise<void> {
  for (let left = 200; ; left -= 1) {
    const open = await new Promise<boolean>((done) => {
      const socket = connect(port, address)
      socket.once('connect', () => done(true)).once('error', () => done(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) return
    if (left === 0) throw new Error(`sshd does not listen on port ${port}`)
    await new Promise((done) => setTimeout(done, 25))
  }
}
