import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { cacheDirectory } from '../../../scripts/tests/cache.mjs'
import { ensureAgent } from '../harness/install.ts'
import type { Pane } from '../harness/pane.ts'
import { endProcesses } from '../harness/processes.ts'
import { tmuxServer } from '../harness/tmux.ts'
import type { World } from '../harness/world.ts'
import { CLIENTS, type Client, type ClientName } from './clients.ts'
import type { Answer, Asked } from './responses.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/**
 * What a test of a client starts with: one home with its configuration, one message home and one
 * working directory for every session, a scripted model, and a tmux server. `beside`: in those of a
 * world of Claude Code, which ends what runs there. `programs`: scripts that stand first on PATH.
 */
export async function agentWorld(
  name: ClientName,
  rule: (asked: Asked) => Answer,
  beside?: World,
  programs: Record<string, string> = {},
) {
  const client: Client = CLIENTS[name]
  const program = await ensureAgent(name)
  const dir = await realpath(await mkdtemp(join(tmpdir(), `ac-${name}-`)))
  const home = beside?.home ?? join(dir, 'home')
  const chatHome = beside?.chat ?? join(dir, 'chat')
  const cwd = beside?.cwd ?? join(dir, 'work')
  for (const folder of [home, chatHome, cwd]) await mkdir(folder, { mode: 0o700, recursive: true })
  // Not below the temporary folder: Codex starts no program from there.
  const first = await mkdtemp(join(cacheDirectory(), 'programs-'))
  for (const [file, text] of Object.entries(programs))
    await writeFile(join(first, file), text, { mode: 0o755 })
  const model = await client.model(rule)
  const tmux = beside?.tmux ?? (await tmuxServer())
  const place = { home, cwd, url: model.url }
  for (const [path, text] of Object.entries(client.files(place))) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  const env: NodeJS.ProcessEnv = {
    ...beside?.env,
    ...{ HOME: home, AGENT_CHAT_HOME: chatHome, TERM: 'tmux-256color', LANG: 'C.UTF-8' },
    PATH: `${first}:${dirname(program)}:${process.env.PATH}`,
    ...{ SHELL: '/bin/bash', AC_WORLD: dir },
    ...client.env(place),
    ...tmux.env,
  }
  const chat = async (...args: string[]): Promise<string> => {
    const main = join(ROOT, 'dist', 'main.js')
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { env, cwd })
    return stdout
  }
  const panes: Pane[] = []
  let open = true
  /** Ends all that runs here. */
  const close = async () => {
    if (!open) return
    open = false
    if (!beside) await tmux.kill()
    await (beside ? endProcesses('AC_WORLD', dir) : endProcesses('AGENT_CHAT_HOME', chatHome))
    await model.close()
    await rm(first, { recursive: true, force: true })
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
  onTestFinished(async ({ task }) => {
    if (open && task.result?.state === 'fail')
      for (const pane of panes) console.error(await pane.screen().catch(() => 'gone'))
    await close()
  })
  /** A session of this client, up and waiting for a prompt. */
  const start = async (session: string, ...given: string[]): Promise<Pane> => {
    const all = [...(client.args ?? []), ...given]
    const args = all.length > 0 ? ['--', ...all] : []
    const started = await chat('start', session, '--agent', name, '--detach', '--json', ...args)
    const pane = tmux.pane(JSON.parse(started).pane)
    panes.push(pane)
    await pane.waitFor(client.ready)
    return pane
  }
  return { dir, home, chatHome, cwd, env, client, model, tmux, chat, start, close }
}

export type AgentWorld = Awaited<ReturnType<typeof agentWorld>>
