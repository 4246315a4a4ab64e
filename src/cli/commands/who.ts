import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type Claim, claimsNow } from '../../chat/claim.ts'
import type { RemoteRow } from '../../chat/remote/links.ts'
import { reviveWatcher } from '../../chat/revive.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { needsYou } from '../../feed/overview.ts'
import { visibleLine } from '../../message/visible.ts'
import { lineNow } from '../../session/needsLine.ts'
import { type SessionRow, sessionsNow } from '../../session/sessionRows.ts'
import { dialogSaid } from '../../session/startDialog.ts'
import { localTime } from '../../system/zone.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { failedText } from '../render/failed.ts'
import { needLines } from '../render/needs.ts'
import { painter } from '../render/paint.ts'
import { PAUSED } from '../render/paused.ts'
import { stateFor } from '../render/status.ts'
import { table } from '../render/table.ts'
import { ago, lasting } from '../render/time.ts'

export function whoCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'who',
    'agent-chat who\nagent-chat who backend\nagent-chat who me\nagent-chat who --json',
  )
    .argument('[name]', 'what this session does, and its tasks; me for the own name')
    .option('-a, --all', 'also those on linked machines, as these have told')
    .option('--line', 'one line for a status line: how many need you, and the first of them')
    .action(async (name: string | undefined, options: WhoFlags) => {
      if (options.line) return printLine(name, options, ports)
      if (name !== undefined && options.all) throw oneOrAll(name)
      if (name === 'me') return (await import('./join.ts')).printMe(options, ports)
      if (name !== undefined) return (await import('./status.ts')).printStatus(name, options, ports)
      const paused = existsSync(ports.bus().home.paused)
      const remote = options.all
        ? { remote: (await import('../../chat/remote/links.ts')).remoteRows(ports.bus()) }
        : undefined
      if (options.json) {
        const { everyStatus } = await import('../../chat/status/status.ts')
        const claimed = claimsNow(ports)
        const claims = claimed.length === 0 ? {} : { claims: claimed }
        const sessions = await everyStatus(ports)
        const needs_you = needsYou(ports, sessions)
        ports.print(`${JSON.stringify({ sessions, needs_you, paused, ...claims, ...remote })}\n`)
      } else {
        const paint = await painter(ports, /\d+ held: .*$|not delivered yet: .*$/gm)
        const now = ports.bus().clock.now()
        const sessions = await sessionsNow(ports)
        if (paused) ports.print(`${PAUSED}\n`)
        ports.print(paint(renderWho(sessions, now, remote?.remote)))
        ports.print(
          claimsNow(ports)
            .flatMap(({ claims }) => claims.map(claimLine))
            .join(''),
        )
        ports.print(['', ...needLines(needsYou(ports, sessions), now)].join('\n'))
      }
      await reviveWatcher(ports)
    })
}

function claimLine({ name, pattern, until }: Claim): string {
  return `@${name} has claimed ${visibleLine(pattern)} until ${localTime(until)}\n`
}

type WhoFlags = { json?: boolean; all?: boolean; line?: boolean }

/**
 * The line that the home's watcher keeps: `bin/agent-chat` prints the same without Node. A home
 * that is not there, or cannot be read, has none.
 */
async function printLine(
  name: string | undefined,
  { json, all }: WhoFlags,
  ports: Ports,
): Promise<void> {
  if (name !== undefined || json || all)
    throw new CodedError('USAGE', '--line prints one line for every session', {
      hint: 'use it alone: agent-chat who --line',
    })
  try {
    const line = lineNow(ports.bus())
    if (line !== '') ports.print(`${line}\n`)
  } catch (error) {
    if (!isCoded(error, 'USAGE') && !isCoded(error, 'HOME_UNUSABLE')) throw error
  }
}

function oneOrAll(name: string): CodedError {
  return new CodedError('USAGE', '--all lists every session', {
    hint: `use one of them: agent-chat who ${name}; agent-chat who --all`,
  })
}

function guardText({ no_hooks, no_guardrails }: SessionRow): string {
  const why = no_hooks ?? no_guardrails
  return why === undefined ? '' : `no guardrails: ${why}`
}

function renderWho(rows: SessionRow[], now: number, remote: RemoteRow[] = []): string {
  if (rows.length + remote.length === 0)
    return 'no sessions yet; start one with: agent-chat start backend\n'
  const lines = rows.map((row) => [
    `@${row.name}`,
    row.pane ?? '-',
    stateFor(row, now),
    String(row.unread),
    row.alive === 'alive' && Date.parse(row.joined_at) > 0 ? lasting(row.joined_at, now) : '-',
    [
      row.worker === undefined ? '' : `worker${row.worker.reason ? `: ${row.worker.reason}` : ''}`,
      row.dialog === undefined ? '' : dialogSaid(row.name, row.dialog),
      failedText(row, now),
      row.held === 0 ? '' : `${row.held} held: agent-chat gate`,
      guardText(row),
      row.waiting === null || row.waiting.why === row.no_hooks
        ? ''
        : `not delivered yet: ${row.waiting.why}`,
      row.no_bell === undefined ? '' : `no bell: ${row.no_bell}`,
      row.pane !== null && !row.watcher ? 'no watcher' : '',
    ]
      .filter(Boolean)
      .join('; '),
  ])
  const there = remote.map(({ name, host, state, up, seen }) => [
    ...[`@${name}`, '-', state, '-', '-'],
    up ? `on ${host}` : `on ${host}, last seen ${seen === null ? 'never' : ago(seen, now)}`,
  ])
  return table(['name', 'pane', 'state', 'unread', 'up', ''], [...lines, ...there])
}
