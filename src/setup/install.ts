import { howToInstall } from '../agents/agents.ts'
import { CLAUDE } from '../agents/claude.ts'
import { findInstaller, findProgram, tmuxHint } from '../system/programs.ts'
import { startHere } from '../system/start.ts'
import type { Check } from './check.ts'
import { checkClaude, checkNode, checkTmux } from './programs.ts'

/** What is to be installed, and the command for it, where an installer is known here. */
export type Wanted = { program: 'tmux' | 'claude'; argv: [string, ...string[]] | undefined }

export type InstallPorts = {
  env: NodeJS.ProcessEnv
  /** Whether to run this command, asked before it is run. */
  agree: (question: string) => Promise<boolean>
  /** Whether it was asked for outright, so that not being able to is a failure. */
  insists: boolean
  say: (text: string) => void
}

/** Looks at all that is needed, by name. */
export async function checkPrograms(
  nodeVersion: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<[Check, Check, Check]> {
  const [tmux, claude] = await Promise.all([checkTmux(env), checkClaude(env)])
  return [checkNode(nodeVersion), tmux, claude]
}

/** What of it is missing or too old and can be installed from here. Node is not: it runs this. */
export function wantedOf([, tmux]: [Check, Check, Check], env: NodeJS.ProcessEnv): Wanted[] {
  return [
    ...(tmux.status === 'ok' ? [] : [{ program: 'tmux', argv: argvOf('tmux', env) } as const]),
    ...(findProgram('claude', env) === undefined
      ? [{ program: 'claude', argv: argvOf('claude', env) } as const]
      : []),
  ]
}

/** Installs one program, if it is agreed to; else undefined. */
export async function install(
  { program, argv }: Wanted,
  ports: InstallPorts,
): Promise<Check | undefined> {
  const hint = program === 'tmux' ? tmuxHint(ports.env) : howToInstall(CLAUDE)
  if (argv === undefined)
    return ports.insists
      ? { name: program, status: 'failed', detail: 'setup cannot install it here', hint }
      : undefined
  if (!(await ports.agree(`Install ${program} with \`${argv.join(' ')}\`?`))) return undefined
  ports.say(`$ ${argv.join(' ')}`)
  const code = (await talking(argv, ports)) === 0 ? 0 : await again(argv, ports)
  if (code === 0 && findProgram(program, ports.env) !== undefined)
    return { name: program, status: 'ok', detail: 'installed' }
  const detail =
    code === 0 ? 'installed, but not on PATH' : `could not be installed: ${argv[0]} failed`
  const more = argv[0] === 'npm' ? npmHint(code === 0) : hint
  return { name: program, status: 'failed', detail, hint: more }
}

/** npm knows where it puts programs; with the system's Node only root may write there. */
function npmHint(installed: boolean): string {
  if (installed)
    return 'it is in this directory, which must be on PATH: echo "$(npm prefix -g)/bin"'
  return `if npm cannot write there, first run: npm config set prefix ~/.local; then: ${CLAUDE.install.join(' ')}`
}

/** A fresh Debian or Ubuntu knows no packages before its first update. */
async function again(
  argv: [string, ...string[]],
  ports: InstallPorts,
): Promise<number | undefined> {
  const at = argv.indexOf('apt-get')
  if (at < 0) return 1
  const update: [string, ...string[]] = [argv[0], ...argv.slice(1, at + 1), 'update']
  ports.say(`$ ${update.join(' ')}`)
  if ((await talking(update, ports)) !== 0) return 1
  ports.say(`$ ${argv.join(' ')}`)
  return talking(argv, ports)
}

function argvOf(
  program: 'tmux' | 'claude',
  env: NodeJS.ProcessEnv,
): [string, ...string[]] | undefined {
  if (program === 'claude')
    return findProgram('npm', env) === undefined ? undefined : [...CLAUDE.install]
  const installer = findInstaller(env)
  return installer && [...installer.argv, 'tmux']
}

/**
 * Runs an installer in this terminal, and gives its exit code; undefined where it did not start.
 */
function talking(argv: [string, ...string[]], { env }: InstallPorts): Promise<number | undefined> {
  return startHere(argv, { env, talking: true }).ended.then(
    ({ code }) => code,
    () => undefined,
  )
}
