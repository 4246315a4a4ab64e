import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { asHuman } from '../../../scripts/asHuman.mjs'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import { carriers, killAtOnce, treeOf } from '../harness/processes.ts'
import type { World } from '../harness/world.ts'

const MAIN = join(import.meta.dirname, '..', '..', '..', 'dist', 'main.js')

/** What the sessions are started with: their own reading and answering needs no dialog. */
export const ARGS = ['--permission-mode', 'manual', '--allowedTools', 'Bash(agent-chat:*)']

/** A call of a shell, as the model makes it. */
export const bash = (command: string) => ({
  tool: 'Bash',
  input: { command, description: 'agent-chat' },
})

/** Runs agent-chat, as a script does and as a person types it. */
export function commands({ cwd }: World, env: Record<string, string>) {
  return {
    chat: async (...args: string[]): Promise<string> =>
      (await promisify(execFile)(RUNTIME, [MAIN, ...args], { env, cwd })).stdout,
    typed: (...args: string[]) => asHuman([RUNTIME, MAIN, ...args], { env, cwd, limitMs: 240_000 }),
  }
}

/** Kills every process of the home, and tmux with all that runs in it. */
export async function pullThePlug({ tmux, chat }: Pick<World, 'tmux' | 'chat'>): Promise<void> {
  const server = Number((await tmux.tmux('display-message', '-p', '#{pid}')).trim())
  const ofHome = await carriers('AGENT_CHAT_HOME', chat)
  await killAtOnce([...new Set([...(await treeOf(server)), ...ofHome])])
}

/** What the run has come to, for `npm run demo:plug`. */
export function say(line: string): void {
  if (process.env.AC_PLUG_SAID) writeFileSync(process.env.AC_PLUG_SAID, `${line}\n`)
}
