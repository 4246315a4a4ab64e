import { type SpawnSyncReturns, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ProcessRef, systemProcesses } from '../system/processes.ts'
import { ROOT } from './cli.ts'

type Ran = Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>

/** A process that stands for a Claude Code: what it runs is its child, as hooks and commands are. */
export type Client = {
  ref: ProcessRef
  run(argv: string[], env: Record<string, string>, input?: string): Promise<Ran>
}

const RUNS = `const { spawnSync } = process.getBuiltinModule('node:child_process')
  process.on('message', ([program, words, options]) => {
    const { status, stdout, stderr } = spawnSync(program, words, { ...options, encoding: 'utf8' })
    process.send({ status, stdout, stderr })
  })`

/**
 * Starts one with this environment and no other; it ends with the test. `program`: Node by another
 * name.
 */
export async function startClient(
  env: Record<string, string>,
  program = process.execPath,
): Promise<Client> {
  const child = spawn(program, ['-e', RUNS], {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  return {
    ref: { pid, started: systemProcesses().find(pid)?.started ?? '' },
    run: async ([program, ...words], given, input = '') => {
      const answer = once(child, 'message')
      child.send([program, words, { env: given, input }])
      const [ran] = await answer
      return ran as Ran
    },
  }
}

/** How `hooks.json` has Claude Code run a hook, by its word. */
export function hookLine(word: string): string[] {
  const { hooks } = JSON.parse(readFileSync(join(ROOT, 'hooks/hooks.json'), 'utf8'))
  const all = Object.values<{ hooks: { command: string; args: string[] }[] }[]>(hooks).flat()
  const found = all.flatMap((group) => group.hooks).find(({ args }) => args.at(-1) === word)
  if (!found) throw new Error(`no hook ${word}`)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what Claude Code replaces.
  const words = found.args.map((arg) => arg.replace('${CLAUDE_PLUGIN_ROOT}', ROOT))
  return [found.command, ...words]
}
