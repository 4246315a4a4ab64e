import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { World } from './world.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const ADDRESS = 'https://github.com/example/agent-chat.git'
const run = promisify(execFile)

type Place = Pick<World, 'claude' | 'cwd' | 'dir' | 'env'>

/**
 * A git repository of the project's files as they stand, the place that a user's marketplace is
 * cloned from.
 */
export async function makeRepository({ dir, env }: Place): Promise<string> {
  const target = join(dir, 'repo')
  const flags = ['-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await run('git', ['ls-files', ...flags], { cwd: ROOT })
  for (const file of stdout
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    await mkdir(dirname(join(target, file)), { recursive: true })
    await cp(join(ROOT, file), join(target, file), { verbatimSymlinks: true })
  }
  await run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: target, env })
  await commit(target, env)
  return target
}

export async function commit(repository: string, env: World['env']): Promise<void> {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.org']
  const git = (...args: string[]) => run('git', [...identity, ...args], { cwd: repository, env })
  await git('add', '--all')
  await git('commit', '--quiet', '--message=as it stands')
}

/**
 * Adds the marketplace and installs plugins of it as a user would, and gives the folders of the
 * installed copies, in the same order.
 */
export async function install(
  place: Place,
  home: string,
  plugins: readonly string[],
): Promise<string[]> {
  // Git goes to the local repository for this address: the client takes its ordinary way, and no
  // network is needed.
  const from = `file://${join(place.dir, 'repo')}`
  await writeFile(join(home, '.gitconfig'), `[url "${from}"]\n\tinsteadOf = ${ADDRESS}\n`)
  await writeNpm(home)
  await claudeIn(place, home, 'plugin', 'marketplace', 'add', ADDRESS)
  for (const plugin of plugins)
    await claudeIn(place, home, 'plugin', 'install', `${plugin}@agent-chat`)
  const listed: { id: string; installPath: string }[] = JSON.parse(
    await claudeIn(place, home, 'plugin', 'list', '--json'),
  )
  return plugins.map(
    (plugin) => listed.find(({ id }) => id === `${plugin}@agent-chat`)?.installPath ?? '',
  )
}

/** What the client prints, run with this HOME. */
export async function claudeIn(
  { claude, cwd, env }: Place,
  home: string,
  ...args: string[]
): Promise<string> {
  const own = { ...env, HOME: home, PATH: `${join(home, 'bin')}:${env.PATH}` }
  return (await run(claude, args, { env: own, cwd })).stdout
}

/** An `npm` that does nothing but leave a trace. */
async function writeNpm(home: string): Promise<void> {
  await mkdir(join(home, 'bin'))
  const script = `#!/bin/sh\necho "$@" >> '${join(home, 'npm.log')}'\n`
  await writeFile(join(home, 'bin', 'npm'), script, { mode: 0o755 })
}
