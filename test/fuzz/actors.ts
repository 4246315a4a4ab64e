import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'tsup'
import type { Run } from '../../src/testing/cli.ts'

/** What a process has come to: a step at which it stands, or the end of its command. */
type Event = { at: string } | (Pick<Run, 'stdout' | 'stderr'> & { code: number })

/**
 * A process that runs commands step by step. `next` gives what it comes to, or undefined where it
 * is still at work: it waits for a lock, say.
 */
export type Actor = {
  run: (root: string, argv: string[]) => void
  goOn: () => void
  next: (ms: number) => Promise<Event | undefined>
  kill: () => Promise<void>
}

/** Where the native program runs the tests, it runs a script and not itself. */
const BUN = process.versions.bun === undefined ? {} : { BUN_BE_BUN: '1' }

/** What was CommonJS asks for its parts with this. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`

/**
 * Builds the program of an actor into this directory: the command line as it is, but for the steps
 * at which it stops.
 */
export async function buildActor(directory: string): Promise<string> {
  await build({
    config: false,
    entry: { actor: join(import.meta.dirname, 'worker.ts') },
    outDir: directory,
    format: ['esm'],
    target: 'node20',
    noExternal: [/.*/],
    splitting: false,
    silent: true,
    banner: { js: REQUIRE },
    outExtension: () => ({ js: '.mjs' }),
    esbuildPlugins: [
      {
        name: 'pausing',
        setup: (plugin) =>
          plugin.onResolve({ filter: /\/fault\.ts$/ }, () => ({
            path: join(import.meta.dirname, 'pausing.ts'),
          })),
      },
    ],
  })
  return join(directory, 'actor.mjs')
}

/** Starts an actor. Killed, it is started again by its next command. */
export function startActor(script: string): Actor {
  let child: ChildProcess | undefined
  let events: Event[] = []
  let wake = () => {}
  const start = () => {
    const mine = spawn(process.execPath, [script], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, ...BUN },
    })
    mine.stdin?.on('error', () => {})
    if (mine.stdout)
      createInterface({ input: mine.stdout }).on('line', (line) => {
        if (mine !== child) return
        events.push(JSON.parse(line))
        wake()
      })
    mine.once('close', () => {
      if (mine !== child) return
      child = undefined
      events.push({ code: 1, stdout: '', stderr: 'its process has ended' })
      wake()
    })
    return mine
  }
  return {
    run: (root, argv) => {
      child ??= start()
      child.stdin?.write(`${JSON.stringify({ root, argv })}\n`)
    },
    goOn: () => child?.stdin?.write('\n'),
    next: async (ms) => {
      if (events.length === 0)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      return events.shift()
    },
    kill: async () => {
      const mine = child
      child = undefined
      events = []
      if (!mine) return
      mine.kill('SIGKILL')
      await once(mine, 'close')
    },
  }
}
