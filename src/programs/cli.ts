import { dirname, join } from 'node:path'
import { systemBus } from '../bus/bus.ts'
import type { Ports } from '../cli/ports.ts'
import { main } from '../cli/program.ts'
import { systemPorts } from '../cli/systemPorts.ts'
import { loadCommands } from '../cli/verbs.ts'
import { verbs, type Word } from '../message/verbs.ts'
import { countingEnv } from '../session/startedWith.ts'

/** What is worth keeping compiled code for: see `boot()`. */
export const words = verbs().map(({ word }) => word)

/** Loaded when somebody opens it: its terminal library is large. */
const openConsole: Ports['openConsole'] = async (options, ports) =>
  (await import('../console/open.ts')).openConsole(options, {
    ...ports,
    commands: {
      run: (argv, typed) => runHeard(argv, typed === undefined ? ports : { ...ports, typed }),
      load: () => loadCommands(SLASH),
    },
  })

/** The commands that the console runs. */
const SLASH: Word[] = [
  ...verbs().flatMap((verb) => ('slash' in verb ? [verb.word] : [])),
  'unpause',
  'release',
]

/** Runs a command, and keeps what it prints and tells. The keys of its terminal are the console's. */
async function runHeard(argv: string[], ports: Ports) {
  const printed: string[] = []
  const said: string[] = []
  const tell = (text: string) => said.push(text)
  const print = (text: string) => printed.push(text)
  const bus = () => ({ ...ports.bus(), notice: tell })
  const outputTaker = async () => undefined
  const isTerminal: Ports['isTerminal'] = async (stream) =>
    stream !== 'stdin' && ports.isTerminal(stream)
  const heard = { ...ports, bus, print, outputTaker, isTerminal, talk: tell, notice: tell }
  return { exit: await main(argv, heard), printed: printed.join(''), said }
}

const ports = systemPorts(
  {
    script: join(__dirname, 'main.js'),
    root: dirname(__dirname),
    bus: systemBus,
    openConsole,
  },
  countingEnv(process.env),
)

void main(process.argv.slice(2), ports).then((code) => {
  process.exitCode = code || ports.exitCode()
  // Node takes its heap down piece by piece before it ends; the system does it at once. Bun names no
  // resources, so nothing tells there that none is open.
  if (process.versions.bun === undefined && process.getActiveResourcesInfo().length === 0)
    process.exit()
})
