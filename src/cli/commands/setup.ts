import { join } from 'node:path'
import type { Command } from 'commander'
import { EXIT } from '../../chat/exit.ts'
import { diagnose } from '../../doctor/doctor.ts'
import { CodedError } from '../../errors.ts'
import type { Check } from '../../setup/check.ts'
import { ownShell, SHELLS, type Shell } from '../../setup/completion.ts'
import { checkSetup, setUp } from '../../setup/setup.ts'
import { askYesNo } from '../../system/ask.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { checkStyle, printCheck } from '../render/check.ts'
import { exitOf } from './doctor.ts'

/** `completion` names a shell; `true` stands for the user's own. */
type SetupOptions = {
  yes?: boolean
  check?: boolean
  ring?: boolean
  completion?: Shell | true
  json?: boolean
}

/** What setup did, step by step, and what the doctor said at its end. `exit` is the exit code. */
type SetupResult = { ok: boolean; steps: Check[]; checks: Check[]; exit: number }

export function setupCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'setup',
    'agent-chat setup\nagent-chat setup --yes\nagent-chat setup --check\nagent-chat setup --completion zsh',
  )
    .option('--yes', 'install what is missing without asking')
    .option('--check', 'only report; exit 7 if something is missing')
    .addOption(
      program
        .createOption(
          '--completion [shell]',
          'set up completion with Tab, for your shell or this one: bash, zsh or fish',
        )
        .choices(SHELLS),
    )
    .option('--no-ring', 'skip the test message through a temporary home and tmux server')
    .action(async (options: SetupOptions) => {
      const tell = options.json ? () => {} : printCheck(ports, await checkStyle(ports))
      const { exit, ...result } = await setUpAndProve(options, ports, tell)
      ports.print(
        options.json ? `${JSON.stringify(result)}\n` : `\n${whatNext(result, ports.self.root)}\n`,
      )
      ports.setExitCode(exit)
    })
}

/** What to type now. Every command in it works as it is printed, whatever `PATH` is. */
function whatNext({ ok, checks }: Pick<SetupResult, 'ok' | 'checks'>, root: string): string {
  const isOk = (name: string) =>
    checks.some((check) => check.name === name && check.status === 'ok')
  const path = join(root, 'bin', 'agent-chat')
  if (!ok) return `Not ready. Fix the lines marked failed, then run: ${path} setup`
  const agent = isOk('claude') ? '' : ' --cmd "<your agent>"'
  const command = isOk('agent-chat') ? 'agent-chat' : path
  const bind = `bind-key a display-popup -E -w 90% -h 90% "${command} console"`
  const popup = isOk('tmux')
    ? `\nTo open the console with tmux's prefix and a (tmux 3.2 or newer), add to ~/.tmux.conf: ${bind}`
    : ''
  return `Ready. In the directory of a project, run: ${command} start backend${agent}${popup}`
}

async function setUpAndProve(
  options: SetupOptions,
  ports: Ports,
  tell: (check: Check) => void,
): Promise<SetupResult> {
  const shell = shellOf(options, ports)
  if (options.check) {
    const { ok, checks } = await checkSetup(ports, tell)
    return { ok, steps: [], checks, exit: ok ? EXIT.done : EXIT.missingProgram }
  }
  const request = { yes: options.yes === true, shell, insists: options.completion !== undefined }
  const ask = (await ports.isTerminal('stdin')) ? askYesNo : undefined
  const say = (text: string) => ports.talk(`${text}\n`)
  const steps = await setUp(request, { ...ports, ask, say }, tell)
  const { checks } = await diagnose({ ring: options.ring, mend: true }, ports, tell)
  const missing = steps.some(
    ({ name, status }) => status === 'failed' && (name === 'tmux' || name === 'claude'),
  )
  const exit = missing ? EXIT.missingProgram : exitOf([...steps, ...checks])
  return { ok: exit === EXIT.done, steps, checks, exit }
}

/** The shell to complete in. Throws `USAGE` where that was asked for, and nothing tells which. */
function shellOf({ completion }: SetupOptions, { env }: Pick<Ports, 'env'>): Shell | undefined {
  const shell = completion === undefined || completion === true ? ownShell(env) : completion
  if (shell !== undefined || completion === undefined) return shell
  throw new CodedError('USAGE', `$SHELL is none of ${SHELLS.join(', ')}`, {
    hint: 'name the shell: agent-chat setup --completion bash',
  })
}
