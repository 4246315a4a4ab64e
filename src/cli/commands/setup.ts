import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { ensureHome } from '../../bus/home.ts'
import { updateSessions } from '../../bus/registry.ts'
import { CodedError } from '../../errors.ts'
import { type Check, checked } from '../../setup/check.ts'
import { hasCompletion, installCompletion, ownShell, SHELLS, type Shell } from '../../setup/completion.ts'
import { checkPrograms, install, type Wanted, wantedOf } from '../../setup/install.ts'
import { linkCommand } from '../../setup/link.ts'
import { checkCommand } from '../../setup/programs.ts'
import { askYesNo } from '../../system/ask.ts'
import { nodeVersion } from '../../system/machine.ts'
import { userHome } from '../../system/user.ts'
import { addCommand } from '../command.ts'
import { EXIT } from '../exit.ts'
import type { Ports } from '../ports.ts'
import { checkStyle } from '../render/check.ts'
import { exitOf, linkDirectory, printCheck, runDoctor } from './doctor.ts'

/** `completion` names a shell; `true` stands for the user's own. */
export type SetupOptions = { yes?: boolean; check?: boolean; ring?: boolean; completion?: Shell | true; json?: boolean }

/** What setup did, step by step, and what the doctor said at its end. `exit` is the exit code. */
export type SetupResult = { ok: boolean; steps: Check[]; checks: Check[]; exit: number }

export function setupCommand(program: Command, ports: Ports, run = runSetup): void {
  addCommand(
    program,
    'setup',
    'install what is missing, make the home, put agent-chat on PATH, and prove that it works',
    'agent-chat setup\nagent-chat setup --yes\nagent-chat setup --check\nagent-chat setup --completion zsh',
  )
    .option('--yes', 'install what is missing without asking')
    .option('--check', 'only report; exit 7 where something is missing')
    .addOption(
      program
        .createOption('--completion [shell]', 'complete with Tab, in your shell or this one: bash, zsh or fish')
        .choices(SHELLS),
    )
    .option('--no-ring', 'send no message through a throwaway home and tmux server at the end')
    .action(async (options: SetupOptions) => {
      const tell = options.json ? () => {} : printCheck(ports, await checkStyle(ports))
      const { exit, ...result } = await run(options, ports, tell)
      ports.print(options.json ? `${JSON.stringify(result)}\n` : `\n${whatNext(result, ports.self.root)}\n`)
      ports.setExitCode(exit)
    })
}

/** The last line: what to type now. Every command in it works as it is printed, whatever `PATH` is. */
function whatNext({ ok, checks }: Pick<SetupResult, 'ok' | 'checks'>, root: string): string {
  const isOk = (name: string) => checks.some((check) => check.name === name && check.status === 'ok')
  const path = join(root, 'bin', 'agent-chat')
  if (!ok) return `not ready: what to do stands below each line that failed; then run: ${path} setup`
  const agent = isOk('claude') ? '' : ' --cmd "<your agent>"'
  return `ready: in the directory of a project, run: ${isOk('agent-chat') ? 'agent-chat' : path} backend${agent}`
}

/** Sets agent-chat up for this user. Safe to run again; touches nothing that it did not make. */
export async function runSetup(
  options: SetupOptions,
  ports: Ports,
  tell: (check: Check) => void,
): Promise<SetupResult> {
  const bin = linkDirectory()
  const shell = shellOf(options, ports)
  if (options.check) return report(bin, ports, tell)
  const steps: Check[] = []
  const add = (found: Check[]) => {
    steps.push(...found)
    for (const check of found) tell(check)
  }
  for (const wanted of wantedOf(await checkPrograms(nodeVersion(), ports.env), ports.env))
    add(await offer(wanted, options, ports))
  add(await checked('home', async () => [await makeHome(ports)]))
  add(await checked('link', () => [linkCommand(ports.self.root, bin)]))
  add(await checked('completion', () => complete(shell, options, ports)))
  const diagnosis = await runDoctor(options, ports, tell)
  // What somebody chose not to install now is for the doctor to judge: without Claude Code, other agents work.
  const failed = steps.filter(({ status }) => status === 'failed').map(({ name }) => name)
  const missing = failed.includes('tmux') || failed.includes('claude')
  const exit = missing ? EXIT.missingProgram : exitOf({ ...diagnosis, checks: [...steps, ...diagnosis.checks] })
  return { ok: exit === EXIT.done, steps, checks: diagnosis.checks, exit }
}

/** The shell to complete in. Throws `USAGE` where that was asked for, and nothing tells which. */
function shellOf({ completion }: SetupOptions, { env }: Pick<Ports, 'env'>): Shell | undefined {
  const shell = completion === undefined || completion === true ? ownShell(env) : completion
  if (shell !== undefined || completion === undefined) return shell
  throw new CodedError('USAGE', `$SHELL is none of ${SHELLS.join(', ')}`, {
    hint: 'say which shell: agent-chat setup --completion bash',
  })
}

/** Where it was asked for, or a person at the terminal says yes. `--yes` is about what is missing, and nothing is missing without it. */
async function complete(shell: Shell | undefined, options: SetupOptions, ports: Ports): Promise<Check[]> {
  if (shell === undefined) return []
  const home = userHome()
  if (options.completion === undefined) {
    if (options.yes || hasCompletion(shell, ports.env, home) || !(await ports.isTerminal('stdin'))) return []
    if (!(await askYesNo(`Complete agent-chat with Tab in ${shell}?`))) return []
  }
  return [installCompletion(shell, ports.env, home)]
}

/** Looks, and changes nothing. Claude Code counts as needed unless another agent is the user's own. */
async function report(bin: string, ports: Ports, tell: (check: Check) => void): Promise<SetupResult> {
  const programs = await checkPrograms(nodeVersion(), ports.env)
  const needed = ports.env.AGENT_CHAT_CMD ? programs.slice(0, 2) : programs
  const checks = [...programs, checkCommand(ports.env, ports.self.root, bin)]
  for (const check of checks) tell(check)
  const ok = needed.every(({ status }) => status === 'ok')
  return { ok, steps: [], checks, exit: ok ? EXIT.done : EXIT.missingProgram }
}

async function offer(wanted: Wanted, options: SetupOptions, ports: Ports): Promise<Check[]> {
  const agree = await agreement(options, ports)
  const done = await install(wanted, { env: ports.env, agree, insists: options.yes === true, say: ports.say })
  return done === undefined ? [] : [done]
}

async function makeHome(ports: Ports): Promise<Check> {
  const bus = ports.bus()
  const { root, sessions } = bus.home
  if (existsSync(root) && existsSync(sessions)) return { name: 'home', status: 'ok', detail: `${root} is there` }
  ensureHome(bus.home)
  // Under the registry's lock, so that a session which joins at this moment is not lost.
  const setAside = (path: string) => ports.say(`agent-chat: sessions.json could not be read; it is kept as ${path}`)
  await updateSessions(bus, (now) => (existsSync(sessions) ? undefined : now), setAside)
  return { name: 'home', status: 'ok', detail: `made ${root}` }
}

/** `--yes` agrees to everything; a person is asked; where there is nobody to ask, nothing is installed. */
async function agreement(options: SetupOptions, ports: Ports): Promise<(question: string) => Promise<boolean>> {
  if (options.yes) return async () => true
  return (await ports.isTerminal('stdin')) ? askYesNo : async () => false
}
