import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentsWith, type TestAgent } from './agent.ts'
import { tempDirectory } from './home.ts'

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`)
/** A file of twenty lines. */
export const TEXT = LINES.map((line) => `${line}\n`).join('')

/** A repository with two trees, and two sessions: `same`, both in its first tree. */
export async function repository(same = false, env: Record<string, string> = {}) {
  const folder = tempDirectory()
  const main = join(folder, 'main')
  mkdirSync(join(main, 'src'), { recursive: true })
  writeFileSync(join(main, 'src/a.ts'), TEXT)
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
    })
  git(main, 'init', '-q', '-b', 'main')
  git(main, 'add', '-A')
  git(main, 'commit', '-qm', 'first')
  const other = join(folder, 'other')
  git(main, 'worktree', 'add', '-q', '-b', 'other', other)
  const trees = [main, same ? main : other] as const
  const { bus, agents } = await agentsWith(env, 'backend', 'frontend')
  const sessions = JSON.parse(readFileSync(bus.home.sessions, 'utf8'))
  const move = (name: string, cwd: string) => {
    sessions[name].cwd = cwd
    writeFileSync(bus.home.sessions, JSON.stringify(sessions))
  }
  move('backend', trees[0])
  move('frontend', trees[1])
  const [backend, frontend] = agents as [TestAgent, TestAgent]
  await backend.human()
  await frontend.human()
  return {
    ...{ bus, git, main, other, move },
    backend: inTree(backend, trees[0]),
    frontend: inTree(frontend, trees[1]),
  }
}

let calls = 0

/** A session in a tree: `edit` is what its hook says to an edit, which is made where it passes. */
function inTree(agent: TestAgent, tree: string) {
  const file = join(tree, 'src/a.ts')
  const ask = async (
    tool: string,
    input: Record<string, unknown>,
    tool_use_id = `call-${calls++}`,
  ) => {
    const payload = {
      tool_name: tool,
      tool_input: input,
      tool_use_id,
      prompt_id: `${agent.name}-1`,
      cwd: tree,
    }
    const { stdout } = await agent.hook('pre-tool-use', payload)
    const said = stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput
    return {
      payload,
      said: said?.permissionDecision ?? 'pass',
      reason: String(said?.permissionDecisionReason ?? ''),
    }
  }
  const edit = async (old_string: string, new_string: string, path = file) => {
    const { said, reason, payload } = await ask('Edit', { file_path: path, old_string, new_string })
    if (said === 'pass') {
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(old_string, () => new_string),
      )
      await agent.hook('post-tool-use', { ...payload, hook_event_name: 'PostToolUse' })
    }
    return said === 'pass' ? said : reason
  }
  return { ...agent, tree, file, ask, edit }
}
