import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { ensureHome, type Home, homeAt } from '../../src/bus/home.ts'
import { type Run, runCli, startCli } from '../../src/testing/cli.ts'
import { register } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'

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
}

/** Homes with these sessions below `directory`, each joined to the team. */
export async function makeTeam(
  directory: string,
  sessions: Record<string, string[]>,
): Promise<TeamWorld> {
  const program = natsServer()
  const hosts = Object.keys(sessions)
  const homes: Record<string, Home> = {}
  for (const host of hosts) {
    const home = homeAt(join(directory, host))
    mkdirSync(home.root, { recursive: true })
    ensureHome(home)
    register(home, ...(sessions[host] ?? []))
    homes[host] = home
  }
  const homeOf = (host: string) => homes[host] ?? homeAt(join(directory, host))
  const admin = homeOf(hosts[0] ?? '')
  const children = new Set<ChildProcess>()
  const run = (host: string, ...args: string[]) => runCli(args, { home: homeOf(host).root })
  const must = async (home: Home, ...args: string[]) => {
    const { code, stderr, stdout } = await runCli(args, { home: home.root })
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const port = await freePort()
  await must(admin, 'bridge', 'init', '--server', `127.0.0.1:${port}`, '--team', 'crew')
  let server: ChildProcess | undefined
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    const child = server
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((done) => child.once('exit', done))
    child.kill(signal)
    await gone
  }
  const start = async () => {
    server = spawn(program, ['-c', join(admin.bridge, 'nats-server.conf')], { stdio: 'ignore' })
    await until('the server answers', () => answers(port), 20_000)
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
  return { homes, start, kill, stop, bridge, run, store: join(admin.bridge, 'store') }
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

async function answers(port: number): Promise<boolean> {
  const { connect } = await import('node:net')
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => done(true)).once('error', () => done(false))
    socket.once('data', () => socket.destroy())
  })
}
