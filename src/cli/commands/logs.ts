import type { Command } from 'commander'
import { followLines, lastLines } from '../../worker/supervise/logs.ts'
import { addCommand } from '../command.ts'
import { invalidArgument } from '../options/argument.ts'
import type { Ports } from '../ports.ts'

/** Enough for one turn with its tools. */
const DEFAULT_COUNT = 50

type Flags = { limit: number; follow?: boolean; json?: boolean }

export function logsCommand(program: Command, ports: Ports): void {
  addCommand(program, 'logs', 'agent-chat logs coder\nagent-chat logs coder --follow')
    .argument('<worker>', 'the worker')
    .option('-n, --limit <count>', 'the number of lines', parseCount, DEFAULT_COUNT)
    .option('--follow', 'keep printing what it prints, until Ctrl-C')
    .action(async (name: string, { limit, follow, json }: Flags) => {
      const lines = lastLines(name, limit, ports)
      const print = (line: string) =>
        ports.print(json ? `${JSON.stringify({ line })}\n` : `${line}\n`)
      if (json && !follow) return ports.print(`${JSON.stringify({ lines })}\n`)
      lines.forEach(print)
      if (follow) await followLines(name, ports, print)
    })
}

function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw invalidArgument('is not a number of lines')
}
