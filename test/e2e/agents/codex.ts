import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { ensureAgent } from '../harness/install.ts'
import type { Pane } from '../harness/pane.ts'
import { endProcesses } from '../harness/processes.ts'
import { tmuxServer } from '../harness/tmux.ts'
import type { World } from '../harness/world.ts'
import { type Answer, type Asked, scriptedResponses } from './responses.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

type Chat = (...args: string[]) => Promise<string>

/**
 * What a test of Codex starts with: one configuration, one message home and one working directory
 * for every session, a scripted model, and a tmux server. `beside`: in the home, the directory and
 * the tmux server of a world of Claude Code. `chat` runs agent-chat from outside.
 */
export async function codexWorld(rule: (asked: Asked) => Answer, beside?: World) {
  const codex = await ensureAgent('codex')
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'ac-codex-')))
  const config = join(dir, 'codex')
  const home = beside?.home ?? join(dir, 'home')
  const chatHome = beside?.chat ?? join(dir, 'chat')
  const cwd = beside?.cwd ?? join(dir, 'work')
  for (const folder of [home, config, chatHome, cwd]) await mkdir(folder, { recursive: true })
  const model = await scriptedResponses(rule)
  const tmux = beside?.tmux ?? (await tmuxServer())
  await writeFile(join(config, 'config.toml'), configuration(model.url, cwd))
  const env: NodeJS.ProcessEnv = {
    ...beside?.env,
    ...{ HOME: home, CODEX_HOME: config, AGENT_CHAT_HOME: chatHome },
    PATH: `${dirname(codex)}:${process.env.PATH}`,
    ...{ TERM: 'tmux-256color', LANG: 'C.UTF-8', SHELL: '/bin/bash', FAKE_KEY: 'none' },
    ...tmux.env,
  }
  const chat: Chat = async (...args) => {
    const main = join(ROOT, 'dist', 'main.js')
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { env, cwd })
    return stdout
  }
  const panes: Pane[] = []
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const pane of panes) console.error(await pane.screen().catch(() => 'gone'))
    if (!beside) await tmux.kill()
    await endProcesses('CODEX_HOME', config)
    await model.close()
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })
  /** A session of Codex, up and waiting for a prompt. */
  const start = async (name: string, ...args: string[]): Promise<Pane> => {
    const { pane } = JSON.parse(await chat(name, '--agent', 'codex', '--detach', '--json', ...args))
    panes.push(tmux.pane(pane))
    await tmux.pane(pane).waitFor(/› /, 30_000)
    return tmux.pane(pane)
  }
  return { dir, config, cwd, env, model, tmux, chat, start }
}

function configuration(url: string, cwd: string): string {
  return `model = "fake"
model_provider = "fake"
check_for_update_on_startup = false

[model_providers.fake] # a comment that stays
name = "fake"
base_url = "${url}"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
requires_openai_auth = false
supports_websockets = false

[projects."${cwd}"]
trust_level = "trusted"
`
}
