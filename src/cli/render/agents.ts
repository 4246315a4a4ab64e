import { clipped, plural } from '../../message/text.ts'
import { visible, visibleLine } from '../../message/visible.ts'
import { hasEnded } from '../../session/workerState.ts'
import type { Definition, Finding, Listed } from '../../worker/definition/definition.ts'
import type { AgentRow } from '../../worker/definition/row.ts'
import { table } from './table.ts'
import { lasting } from './time.ts'

const HEADING = 'Name Description Tools Status State Model Uptime Requests'.split(' ')

/** All agents: what they are for, whether their files may be used, and what their workers do. */
export function renderAgents(rows: AgentRow[], now: number): string {
  if (rows.length === 0) return 'no agents yet; make some with: agent-chat agents init\n'
  return table(
    HEADING,
    rows.map(({ name, definition, worker, ...listed }) => [
      `@${name}`,
      clipped(definition?.description.split('\n')[0] ?? '', 48) || '–',
      `${definition?.words.length ?? '–'}`,
      statusOf(listed),
      worker?.activity ?? '–',
      worker?.model ?? definition?.model ?? '–',
      worker && !hasEnded(worker) ? lasting(worker.started, now) : '–',
      worker ? `${worker.requests}` : '–',
    ]),
  )
}

/** One agent: its file, what is wrong with it, and all that it would be allowed. */
export function renderAgent(row: AgentRow, next: string | undefined): string {
  const { name, definition, path, worker } = row
  const facts: [string, string][] = [
    ['file', path],
    ['status', statusOf(row)],
    ...(worker ? [['state', stateText(worker)] as [string, string]] : []),
    ...(definition ? factsOf(definition, next) : []),
  ]
  const head = definition
    ? `@${name}: ${visibleLine(definition.title)}\n${visible(definition.description)}\n\n`
    : `@${name}\n\n`
  const prompt = definition ? `\nSystem prompt:\n${visible(definition.prompt)}\n` : ''
  const allow =
    row.status === 'not allowed' || row.status === 'changed'
      ? `\nTo allow it as it is now: agent-chat agents allow ${name}\n`
      : ''
  return `${head}${table(['', ''], facts).trimStart()}${renderFindings(row.findings)}${prompt}${allow}`
}

/** A file with all that is wrong with it. */
export function renderChecked(listed: Listed): string {
  return `${statusOf(listed)}  @${listed.name}  ${visibleLine(listed.path)}\n${renderFindings(listed.findings)}`
}

/** What the human has allowed, in full. */
export function renderAllowed(definition: Definition): string {
  const facts = table(['', ''], factsOf(definition, undefined)).trimStart()
  return `@${definition.name} is allowed as it is now, until its file changes\n${facts}`
}

function renderFindings(findings: Finding[]): string {
  return findings
    .map(({ level, text, hint }) => {
      const line = `  ${level === 'error' ? '✗' : '⚠'} ${visibleLine(text)}\n`
      return hint === undefined ? line : `${line}    hint: ${visibleLine(hint)}\n`
    })
    .join('')
}

function statusOf({ status, findings }: Pick<Listed, 'status' | 'findings'>): string {
  if (status === 'valid') return '✓'
  if (status === 'warnings') return `⚠ ${plural(findings.length, 'warning')}`
  return `✗ ${status}`
}

function stateText({ activity, reason, requests }: NonNullable<AgentRow['worker']>): string {
  const why = reason === undefined ? '' : `: ${reason}`
  return `${activity}${why}; ${plural(requests, 'request')} answered`
}

function factsOf(definition: Definition, next: string | undefined): [string, string][] {
  const { model, cwd, tools, trust, autoStart, persistent, maxIdleSeconds } = definition
  const { timeoutSeconds, maxTurns, budgetUsd, schedule, scheduledPrompt, capabilities } =
    definition
  const turns = maxTurns === undefined ? '' : `, and ${plural(maxTurns, 'step')}`
  return [
    ['tools', tools.join(', ')],
    ['trust', TRUST[trust]],
    ['directory', cwd ?? 'where it is started'],
    ['model', model ?? "Claude Code's own choice"],
    ['starts', autoStart ? 'with agent-chat up' : 'when it is started, or a message comes for it'],
    ['ends', persistent ? 'with agent-chat down' : `after ${maxIdleSeconds} s without a message`],
    ['one turn', `at most ${timeoutSeconds} s${turns}`],
    ...row('one day', budgetUsd === undefined ? undefined : `at most $${budgetUsd}`),
    ...row('schedule', schedule && `${schedule}${next === undefined ? '' : ` (next: ${next})`}`),
    ...row('its task', scheduledPrompt),
    ...row('good at', capabilities.join(', ')),
  ]
}

const TRUST: Record<Definition['trust'], string> = {
  ask: 'ask: in a turn that another agent began, you are asked before it changes something',
  tools: 'tools: it uses its tools without asking you, also when another agent began the turn',
}

function row(name: string, value: string | undefined): [string, string][] {
  return value === undefined || value === '' ? [] : [[name, value]]
}
