import { ensureHome } from '../bus/home.ts'
import { requireHuman } from '../chat/human.ts'
import { CodedError } from '../errors.ts'
import { strangersEnv } from '../launcher/plan.ts'
import { openPath } from '../system/desktop.ts'
import { makeDirectory, removeFile, replaceFileSoon } from '../system/files.ts'
import { tryPidLock } from '../system/pidlock.ts'
import { spawnSelf } from '../system/spawn.ts'
import { untilChanged } from '../system/untilChanged.ts'
import { listen } from './listen.ts'
import type { Ports, WebOptions } from './ports.ts'
import { openingAddress, type Running, runningServer, stopServer, WAIT_MS } from './running.ts'
import type { Serving } from './serving.ts'
import { type Keys, openKeys } from './token.ts'

/**
 * Serves the page until this process is asked to end; in the background with `detach`. Where a
 * server runs, says where. Throws `GATE_REFUSED` where this is an agent's place, and `FAULT` for a
 * port that is taken.
 */
export async function openWeb(options: WebOptions, ports: Ports): Promise<void> {
  const bus = ports.bus()
  requireHuman('web', ports)
  if (options.stop) return tellStopped(await stopServer(bus), options, ports)
  ensureHome(bus.home)
  makeDirectory(bus.home.web)
  const before = runningServer(bus)
  if (before) return tell(before, 'is already open', options, ports)
  if (options.detach) return tell(await inBackground(options, ports), 'is open', options, ports)
  const release = tryPidLock(bus.home.webLock, bus.processes)
  if (typeof release !== 'function') {
    const other = await untilChanged(bus.home.web, WAIT_MS, () => runningServer(bus))
    if (other) return tell(other, 'is already open', options, ports)
    throw notStarted()
  }
  try {
    await serve(options, ports)
  } finally {
    release()
  }
}

async function serve(options: WebOptions, ports: Ports): Promise<void> {
  const bus = ports.bus()
  let keys: Keys | undefined
  // Most of Node that a page needs is loaded when the port is open already.
  let began: (serving: Serving) => void = () => {}
  const serving = new Promise<Serving>((resolve) => {
    began = resolve
  })
  const server = await listen(options.port, async (request, response) =>
    (await serving).answer(request, response),
  )
  const address = `http://127.0.0.1:${server.port}`
  const self = bus.processes.self()
  const write = () => {
    keys?.write()
    tryPidLock(bus.home.webLock, bus.processes)
    replaceFileSoon(bus.home.webServer, `${JSON.stringify({ pid: self.pid, address })}\n`)
  }
  let opened: Serving | undefined
  try {
    keys = openKeys(bus.home, address)
    const ended = new Promise<void>((resolve) => ports.onStop(() => resolve()))
    write()
    await tell({ holder: self, address }, 'is open', options, ports, true)
    const { openServing } = await import('./serving.ts')
    opened = openServing(keys, write, ports)
    began(opened)
    await ended
  } finally {
    server.close()
    await opened?.close()
    keys?.close()
    removeFile(bus.home.webServer)
  }
}

async function inBackground({ port }: WebOptions, ports: Ports): Promise<Running> {
  const bus = ports.bus()
  const words = ['web', ...(port === undefined ? [] : ['--port', String(port)])]
  const pid = spawnSelf(words, { ...ports, env: strangersEnv(ports.env) })
  const ended = () => pid === undefined || bus.processes.find(pid) === undefined
  const found = await untilChanged(
    bus.home.web,
    WAIT_MS,
    () => runningServer(bus) ?? (ended() ? 'ended' : undefined),
  )
  if (found === undefined || found === 'ended') throw notStarted()
  return found
}

function notStarted(): CodedError {
  return new CodedError('FAULT', 'the page did not open', {
    hint: 'see why with: agent-chat web',
  })
}

/** Says where the page is; the address that opens it goes to a terminal alone. */
async function tell(
  { holder: { pid }, address }: Running,
  what: string,
  { json, open }: WebOptions,
  ports: Ports,
  here = false,
): Promise<void> {
  const { home } = ports.bus()
  const opened = open === true && openPath(home.webOpen, ports.env)
  if (json) return ports.print(`${JSON.stringify({ address, pid, open: home.webOpen, opened })}\n`)
  const once = (await ports.isTerminal('stdout')) ? openingAddress(ports.bus()) : undefined
  const lines = [
    `the page ${what}: ${address} (pid ${pid})`,
    ...(opened ? [] : [`open it in a browser: ${once ?? home.webOpen}`]),
    here ? 'Ctrl-C ends it' : 'end it with: agent-chat web --stop',
  ]
  ports.print(`${lines.join('\n')}\n`)
}

function tellStopped(stopped: Running | undefined, { json }: WebOptions, ports: Ports): void {
  const pid = stopped?.holder.pid ?? null
  if (json) ports.print(`${JSON.stringify({ pid })}\n`)
  else ports.print(stopped ? `the page is closed (pid ${pid})\n` : 'no page is open\n')
}
