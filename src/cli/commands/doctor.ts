import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Bus } from '../../bus/bus.ts'
import { EXIT } from '../../chat/exit.ts'
import { diagnose } from '../../doctor/doctor.ts'
import type { Report } from '../../doctor/report.ts'
import { CodedError, isCoded } from '../../errors.ts'
import type { Check } from '../../setup/check.ts'
import { addCommand } from '../command.ts'
import { outFile } from '../options/out.ts'
import type { Ports } from '../ports.ts'
import { checkStyle, printCheck } from '../render/check.ts'

/** With `report`, it mends nothing, and what it finds becomes a report; `out` is its file. */
type DoctorOptions = { ring?: boolean; report?: boolean; out?: string; json?: boolean }

export function doctorCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'doctor',
    'agent-chat doctor\nagent-chat doctor --no-ring --json\nagent-chat doctor --report --out report.md',
  )
    .option('--no-ring', 'skip the test message through a temporary home and tmux server')
    .option('--report', 'repair nothing; print what a bug report needs, without message text')
    .option('--out <path>', 'write the report to this file')
    .action(async (options: DoctorOptions) => {
      if (options.report || options.out !== undefined) return report(options, ports)
      const diagnosis = await diagnose(
        { ring: options.ring, mend: true },
        { ...ports, bridge },
        options.json ? () => {} : printCheck(ports, await checkStyle(ports)),
      )
      if (options.json) ports.print(`${JSON.stringify(diagnosis)}\n`)
      ports.setExitCode(exitOf(diagnosis.checks))
    })
}

/** The client of NATS is loaded where there is a bridge. */
export async function bridge(bus: Bus): Promise<Check[]> {
  if (![bus.home.bridgeTicket, bus.home.bridgeTeam].some((path) => existsSync(path))) return []
  const { nats } = await import('../../link/nats/entry.ts')
  return nats.checkBridge(bus)
}

/** 0 where nothing failed; 7 where a program is missing or too old. */
export function exitOf(checks: Check[]): number {
  const failed = checks.filter(({ status }) => status === 'failed').map(({ name }) => name)
  if (failed.includes('node') || failed.includes('tmux')) return EXIT.missingProgram
  return failed.length === 0 ? EXIT.done : EXIT.fault
}

/** Puts a report together, and says of one that goes to a file what is in it. */
async function report(options: DoctorOptions, ports: Ports): Promise<void> {
  if (!options.report)
    throw new CodedError('USAGE', '--out needs --report', {
      hint: 'agent-chat doctor --report --out report.md',
    })
  const { checks } = await diagnose(
    { ring: options.ring, mend: false },
    { ...ports, bridge },
    () => {},
  )
  const { makeReport } = await import('../../doctor/report.ts')
  const made = await makeReport(checks, homeOf(ports), ports)
  const text = options.json ? `${JSON.stringify(made)}\n` : renderReport(made)
  if (options.out === undefined) return ports.print(text)
  const out = resolve(ports.cwd, options.out)
  const file = outFile(out, 'report')
  try {
    file.write(text)
    file.finish()
  } catch (error) {
    file.drop()
    throw error
  }
  ports.print(
    options.json ? `${JSON.stringify({ out })}\n` : `${REPORT_HOLDS.join('\n')}\nwrote ${out}\n`,
  )
}

/** A home that is not there, or is another user's, has nothing to tell. */
function homeOf(ports: Ports): Bus | undefined {
  try {
    const bus = ports.bus()
    return existsSync(bus.home.root) ? bus : undefined
  } catch (error) {
    if (isCoded(error)) return undefined
    throw error
  }
}

/** What whoever is about to publish a report has to know. */
const REPORT_HOLDS = [
  'It has: versions, the names of AGENT_CHAT_* variables, the checks, session names, counts per inbox, states.',
  'It does not have: text of messages, the history or logs. Your home directory appears as ~.',
]

/** A report as markdown. */
function renderReport({ made_at, parts }: Report): string {
  const blocks = parts.map(
    ({ title, lines }) =>
      `## ${title}\n\n\`\`\`\n${lines.join('\n').replaceAll('```', "'''")}\n\`\`\`\n`,
  )
  return `# agent-chat report${made_at === null ? '' : `, ${made_at}`}\n\n${REPORT_HOLDS.join('\n\n')}\n\n${blocks.join('\n')}`
}
