import type { Command } from 'commander'
import { EXIT } from '../../chat/exit.ts'
import { noteStarted } from '../../chat/human.ts'
import { readerHere } from '../../chat/identity.ts'
import { whyWithheld } from '../../session/withheld.ts'
import { supervisorOf } from '../../session/workers.ts'
import {
  down,
  mayStart,
  repeatsOf,
  restart,
  type Started,
  SUPERVISOR,
  up,
} from '../../worker/supervise/control.ts'
import { usable } from '../../worker/supervise/definitions.ts'
import type { Ended } from '../../worker/supervise/end.ts'
import { healthOf } from '../../worker/supervise/health.ts'
import { followLines, growingLines, lastLines } from '../../worker/supervise/logs.ts'
import { unitText } from '../../worker/supervise/unit.ts'
import { addCommand } from '../command.ts'
import { invalidArgument } from '../options/argument.ts'
import type { Ports } from '../ports.ts'
import { painter } from '../render/paint.ts'
import { endedLine, healthTable, startedLine } from '../render/worker.ts'

type UpFlags = { foreground?: boolean; quiet?: boolean; unit?: boolean; json?: boolean }

export function upCommand(program: Command, ports: Ports): void {
  addCommand(program, 'up', 'agent-chat up\nagent-chat up coder researcher')
    .argument('[names...]', 'the workers (default: those with auto_start)')
    .option('--detach', 'supervise in the background (the default)')
    .option('--foreground', 'supervise in this terminal')
    .option('--unit', 'print a systemd unit that does this')
    .addOption(program.createOption('--quiet', 'only supervise, and say nothing').hideHelp())
    .action(async (names: string[], { foreground, quiet, unit, json }: UpFlags) => {
      if (unit) {
        const starting = repeatsOf(usable(ports)).filter(({ autoStart }) => autoStart)
        noteStarted([SUPERVISOR, ...starting], ports)
        return ports.print(unitText(ports))
      }
      if (foreground) {
        // Without names of its own it goes on with what was started before.
        const started = quiet ? undefined : mayStart('up', names, usable(ports))
        const tell = quiet ? () => {} : (text: string) => ports.print(`${text}\n`)
        const { superviseHere } = await import('../../worker/supervise/foreground.ts')
        return superviseHere(started, { ...ports, tell })
      }
      const tell = (started: Started) => {
        if (!json) ports.print(startedLine(started))
      }
      const workers = await up(names, usable(ports), tell)
      const supervisor = supervisorOf(ports.bus())?.pid ?? null
      if (json) ports.print(`${JSON.stringify({ supervisor, workers })}\n`)
      else if (workers.length === 0)
        ports.print(
          `no agent starts by itself; the supervisor waits for messages (pid ${supervisor}); to start one: agent-chat up <name>, with a name of: agent-chat agents\n`,
        )
      if (workers.some(({ state }) => state === 'failed' || state === 'late'))
        ports.setExitCode(EXIT.fault)
    })
}

export function downCommand(program: Command, ports: Ports): void {
  addCommand(program, 'down', 'agent-chat down\nagent-chat down coder --now')
    .argument('[names...]', 'the workers (default: all, and the supervisor)')
    .option('--now', 'do not wait for the end of their turns')
    .action(async (names: string[], { now, json }: { now?: boolean; json?: boolean }) => {
      const tell = (ended: Ended) => {
        if (!json && (ended.ended !== 'before' || names.length > 0)) ports.print(endedLine(ended))
      }
      const { workers, supervisor } = await down(names, { now: now === true }, ports, tell)
      if (json) ports.print(`${JSON.stringify({ workers, supervisor })}\n`)
      else if (names.length === 0)
        ports.print(
          supervisor === null ? 'no supervisor was running\n' : 'the supervisor has ended\n',
        )
    })
}

export function restartCommand(program: Command, ports: Ports): void {
  addCommand(program, 'restart', 'agent-chat restart coder')
    .argument('<worker>', 'the worker')
    .action(async (name: string, { json }: { json?: boolean }) => {
      const started = await restart(name, usable(ports))
      ports.print(json ? `${JSON.stringify(started)}\n` : startedLine(started))
      if (started.state === 'failed' || started.state === 'late') ports.setExitCode(EXIT.fault)
    })
}

export function healthCommand(program: Command, ports: Ports): void {
  addCommand(program, 'health', 'agent-chat health --json').action(
    async ({ json }: { json?: boolean }) => {
      const health = healthOf(ports)
      const paint = await painter(ports, /^✗.*$/gm)
      const text = json
        ? `${JSON.stringify(health)}\n`
        : paint(healthTable(health, ports.bus().clock.now()))
      ports.print(text)
      if (!health.healthy) ports.setExitCode(EXIT.fault)
    },
  )
}

/** Enough for one turn with its tools. */
const DEFAULT_COUNT = 50

type LogFlags = { limit: number; follow?: boolean; json?: boolean }

export function logsCommand(program: Command, ports: Ports): void {
  addCommand(program, 'logs', 'agent-chat logs coder\nagent-chat logs coder --follow')
    .argument('<worker>', 'the worker')
    .option('-n, --limit <count>', 'the number of lines', parseCount, DEFAULT_COUNT)
    .option('-f, --follow', 'keep printing what it prints, until Ctrl-C')
    .action(async (name: string, { limit, follow, json }: LogFlags) => {
      const why = whyWithheld(readerHere(ports), ports.bus())
      const lines = lastLines(name, limit, ports)
      // What a worker prints is what others wrote, and what it said.
      if (why !== undefined) {
        const data = JSON.stringify({ lines: [], withheld: why })
        return ports.print(json ? `${data}\n` : `@${name.replace(/^@/, '')}: ${why}\n`)
      }
      const print = (line: string) =>
        ports.print(json ? `${JSON.stringify({ line })}\n` : `${line}\n`)
      if (json && !follow) return ports.print(`${JSON.stringify({ lines })}\n`)
      lines.forEach(print)
      if (!follow) return
      const growing = growingLines(ports.print)
      if (json) await followLines(name, ports, print)
      else await followLines(name, ports, growing.line, growing.part)
    })
}

function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw invalidArgument('is not a number of lines')
}
