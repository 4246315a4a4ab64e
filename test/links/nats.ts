import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { ensureHome, type Home, homeAt } from '../../src/bus/home.ts'
import { type Run, startCli } from '../../src/testing/cli.ts'
import { register } from '../../src/testing/home.ts'
import { runAsOwner } from '../../src/testing/human.ts'
import { until } from '../../src/testing/until.ts'
import type { Network } from './netns.ts'

const SERVER = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server']

/** Debian's nats-server, installed here where it is missing: it takes root. */
export function natsServer(): string {
  const there = () => SERVER.find((path) => existsSync(path))
  if (there() === undefined) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const run = (...args: string[]) => execFileSync('apt-get', args, { env, stdio: 'ignore' })
    run('update')
    run('install', '-y', '--no-install-recommends', 'nats-server')
  }
  const found = there()
  if (found === undefined) throw new Error('apt-get installed no nats-server')
  return found
}

/** A team with its server on this machine; the admin's home is that of the first machine. */
export type TeamWorld = {
  homes: Record<string, Home>
  /** Starts the server, and ends when it answers. */
  start: () => Promise<void>
  kill: (signal?: NodeJS.Signals) => Promise<void>
  stop: () => Promise<void>
  bridge: (host: string, limitMs?: number) => ChildProcess
  run: (host: string, ...args: string[]) => Promise<Run>
  store: string
  /** The process of the server. */
  pid: () => number
}

/** Homes with these sessions below `directory`, each joined to the team. */
export function makeTeam(
  directory: string,
  sessions: Record<string, string[]>,
  network?: Pick<Network, 'address' | 'exec'>,
): Promise<TeamWorld> {
  const homes: Record<string, Home> = {}
  for (const [host, names] of Object.entries(sessions)) {
    const home = homeAt(join(directory, host))
    mkdirSync(home.root, { recursive: true })
    ensureHome(home)
    register(home, ...names)
    homes[host] = home
  }
  return joinTeam(homes, network)
}

/** These homes in a team, whose server is in the first of them. With a network, it runs there. */
export async function joinTeam(
  homes: Record<string, Home>,
  { address, exec }: Pick<Network, 'address' | 'exec'> = { address: '127.0.0.1', exec: [] },
): Promise<TeamWorld> {
  const [program = '', ...before] = [...exec, natsServer()]
  const hosts = Object.keys(homes)
  const homeOf = (host: string) => {
    const home = homes[host]
    if (home === undefined) throw new Error(`no home of ${host}`)
    return home
  }
  const admin = homeOf(hosts[0] ?? '')
  const children = new Set<ChildProcess>()
  const run = (host: string, ...args: string[]) => runAsOwner(args, { home: homeOf(host).root })
  const must = async (home: Home, ...args: string[]) => {
    const { code, stderr, stdout } = await runAsOwner(args, { home: home.root })
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const port = await freePort()
  await must(admin, 'bridge', 'init', '--server', `${address}:${port}`, '--team', 'crew')
  let server: ChildProcess | undefined
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    const child = server
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((done) => child.once('exit', done))
    child.kill(signal)
    await gone
  }
  const start = async () => {
    const args = [...before, '-c', join(admin.bridge, 'nats-server.conf')]
    // The environment that bridge init tells.
    server = spawn(program, args, { stdio: 'ignore', env: { ...process.env, GOGC: '50' } })
    await until('the server answers', () => answers(address, port))
  }
  const bridge = (host: string, limitMs = 60_000) => {
    const child = startCli(['bridge', 'run'], { home: homeOf(host).root, limitMs })
    children.add(child)
    return child
  }
  const stop = async () => {
    for (const child of children) child.kill('SIGKILL')
    await kill()
  }
  await start()
  try {
    for (const host of hosts) {
      await must(admin, 'bridge', 'invite', host)
      await must(homeOf(host), 'bridge', 'join', join(admin.bridge, `${host}.invitation`))
    }
  } catch (error) {
    await stop()
    throw error
  }
  const pid = () => server?.pid ?? 0
  return { homes, start, kill, stop, bridge, run, store: join(admin.bridge, 'store'), pid }
}

/** Waits until this machine has heard of these. */
export function hears(team: TeamWorld, host: string, ...others: string[]): Promise<unknown> {
  return until(
    `${host} hears of ${others.join(', ')}`,
    () => others.every((other) => existsSync(team.homes[host]?.peerSeen(other) ?? '')),
    20_000,
  )
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })
}

async function answers(address: string, port: number): Promise<boolean> {
  const { connect } = await import('node:net')
  return new Promise((done) => {
    const socket = connect(port, address)
    socket.once('data', () => done(true)).once('error', () => done(false))
    socket.once('data', () => socket.destroy())
  })
}
