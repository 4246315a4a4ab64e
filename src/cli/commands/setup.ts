import { join } from 'node:path'
import type { Command } from 'commander'
import { AGENTS, agentOf } from '../../agents/agents.ts'
import { EXIT } from '../../chat/exit.ts'
import { diagnose } from '../../doctor/doctor.ts'
import { CodedError } from '../../errors.ts'
import type { Check } from '../../setup/check.ts'
import { ownShell, SHELLS, type Shell } from '../../setup/completion.ts'
import { MCP_HOSTS, type McpHost } from '../../setup/mcpHosts.ts'
import { installNative, removeNative } from '../../setup/native.ts'
import { otherAgent } from '../../setup/programs.ts'
import { checkSetup, setUp } from '../../setup/setup.ts'
import { askYesNo } from '../../system/ask.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { checkStyle, printCheck } from '../render/check.ts'
import { bridge, exitOf } from './doctor.ts'

/** `completion` names a shell; `true` stands for the user's own. */
type SetupOptions = {
  agent?: string
  yes?: boolean
  check?: boolean
  ring?: boolean
  native?: string | boolean
  completion?: Shell | true
  mcp?: McpHost | true
  remove?: boolean
  json?: boolean
}

/** What setup did, step by step, and what the doctor said at its end. `exit` is the exit code. */
type SetupResult = { ok: boolean; steps: Check[]; checks: Check[]; exit: number }

export function setupCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'setup',
    'agent-chat setup\nagent-chat setup --yes\nagent-chat setup --check\nagent-chat setup --completion zsh\nagent-chat setup --agent codex\nagent-chat setup --mcp claude\nagent-chat setup --native',
  )
    .option('--yes', 'install or set what is missing without asking')
    .option('--check', 'only report; exit 7 if something is missing')
    .addOption(
      program
        .createOption(
          '--completion [shell]',
          'set up completion with Tab, for your shell or this one: bash, zsh or fish',
        )
        .choices(SHELLS),
    )
    .addOption(
      program
        .createOption(
          '--agent <agent>',
          'add the hooks and instructions of agent-chat to this agent',
        )
        .choices(AGENTS.flatMap(({ name, hooks }) => (hooks ? [name] : []))),
    )
    .addOption(
      program
        .createOption(
          '--mcp [host]',
          'only write the MCP server into the configuration of claude (or codex, gemini, opencode)',
        )
        .choices(MCP_HOSTS),
    )
    .option('--remove', 'with --agent or --mcp, take it out again')
    .option('--native [path]', 'only install the native program, from here or from a file')
    .option('--no-native', 'only remove the native program')
    .option('--no-ring', 'skip the test message through a temporary home and tmux server')
    .action(async (options: SetupOptions) => {
      if (options.mcp) return mcp(options.mcp, options, ports)
      if (options.agent !== undefined || options.remove) return setUpOne(options, ports)
      const tell = options.json ? () => {} : printCheck(ports, await checkStyle(ports))
      if (options.native !== undefined) {
        const step = await changeNative(options.native, ports)
        tell(step)
        if (options.json)
          ports.print(`${JSON.stringify({ ok: true, steps: [step], checks: [] })}\n`)
        return
      }
      const { exit, ...result } = await setUpAndProve(options, ports, tell)
      ports.print(options.json ? `${JSON.stringify(result)}\n` : `\n${whatNext(result, ports)}\n`)
      ports.setExitCode(exit)
    })
}

/** The configuration of one host, and nothing else. */
async function mcp(
  asked: McpHost | true,
  { remove, json }: SetupOptions,
  ports: Ports,
): Promise<void> {
  const { setUpMcp } = await import('../../setup/mcp.ts')
  const host = asked === true ? 'claude' : asked
  const step = setUpMcp(host, remove === true, ports.self, ports.env)
  if (json) ports.print(`${JSON.stringify({ ok: true, steps: [step] })}\n`)
  else printCheck(ports, await checkStyle(ports))(step)
}

/** Sets one agent up, or takes that out of its files again. */
async function setUpOne({ agent: name, remove, yes, json }: SetupOptions, ports: Ports) {
  const agent = agentOf(name)
  if (!agent)
    throw new CodedError('USAGE', '--remove needs --agent or --mcp', {
      hint: 'say from what: agent-chat setup --agent codex --remove',
    })
  const { removeAgent, setUpAgent } = await import('../../setup/agent.ts')
  const asks = yes ? async () => true : askYesNo
  const ask = yes || (await ports.isTerminal('stdin')) ? asks : undefined
  const checks = remove
    ? removeAgent(agent, { ...ports, ask })
    : await setUpAgent(agent, { ...ports, ask })
  const tell = json ? () => {} : printCheck(ports, await checkStyle(ports))
  for (const check of checks) tell(check)
  const ok = checks.every(({ status }) => status !== 'failed')
  if (json) ports.print(`${JSON.stringify({ ok, checks })}\n`)
  ports.setExitCode(ok ? EXIT.done : EXIT.missingProgram)
}

/** `wanted` is a path, `true` for the program that is here, or `false` to remove it. */
async function changeNative(wanted: string | boolean, ports: Ports): Promise<Check> {
  if (wanted === false) return removeNative(ports)
  return installNative(wanted === true ? undefined : wanted, ports)
}

/** What to type now. Every command in it works as it is printed, whatever `PATH` is. */
function whatNext(
  { ok, checks }: Pick<SetupResult, 'ok' | 'checks'>,
  { self: { root }, env }: Pick<Ports, 'self' | 'env'>,
): string {
  const isOk = (name: string) =>
    checks.some((check) => check.name === name && check.status === 'ok')
  const path = join(root, 'bin', 'agent-chat')
  if (!ok) return `Not ready. Fix the lines marked failed, then run: ${path} setup`
  const other = otherAgent(env)
  const named = other ? ` --agent ${other.name}` : ' --cmd "<your agent>"'
  const agent = isOk('claude') ? '' : named
  const command = isOk('agent-chat') ? 'agent-chat' : path
  const bind = `bind-key A display-popup -E -w 90% -h 90% "${command} console"`
  const popup = isOk('tmux')
    ? `\nTo open the console with tmux's prefix and A (tmux 3.2 or newer), add to ~/.tmux.conf: ${bind}`
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
    const isHome = checks.every(({ name, status }) => status !== 'failed' || name === 'home')
    const missing = isHome ? EXIT.fault : EXIT.missingProgram
    return { ok, steps: [], checks, exit: ok ? EXIT.done : missing }
  }
  const request = { yes: options.yes === true, shell, insists: options.completion !== undefined }
  const ask = (await ports.isTerminal('stdin')) ? askYesNo : undefined
  const say = (text: string) => ports.talk(`${text}\n`)
  const steps = await setUp(request, { ...ports, ask, say }, tell)
  const { checks } = await diagnose({ ring: options.ring, mend: true }, { ...ports, bridge }, tell)
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
