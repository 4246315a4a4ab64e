import { resolve } from 'node:path'
import type { Command } from 'commander'
import { EXIT } from '../../chat/exit.ts'
import { CodedError } from '../../errors.ts'
import { parseName, quote } from '../../message/name.ts'
import { nearest } from '../../message/nearest.ts'
import { isoTime } from '../../message/time.ts'
import { localTime } from '../../system/zone.ts'
import { nextTime } from '../../worker/clock/calendar.ts'
import { allowDefinition, revokeDefinition } from '../../worker/definition/allow.ts'
import type { Definition, Listed } from '../../worker/definition/definition.ts'
import { initAgents } from '../../worker/definition/init.ts'
import {
  listDefinitions,
  placeOf,
  readListed,
  requireListed,
} from '../../worker/definition/list.ts'
import { agentJson, agentRows, rowOf } from '../../worker/definition/row.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { renderAgent, renderAgents, renderAllowed, renderChecked } from '../render/agents.ts'

type Flags = { json?: boolean; revoke?: boolean }
type Action = (which: string | undefined, flags: Flags, ports: Ports) => void

const ACTIONS: Record<string, Action> = { show, check, init, allow }

export function agentsCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'agents',
    'agent-chat agents\nagent-chat agents init\nagent-chat agents show researcher\nagent-chat agents check docs/coder.md',
  )
    .argument('[action]', 'show, check, init or allow; without one, all agents are listed')
    .argument('[which]', 'the name of an agent; for check, a file too')
    .option('--revoke', 'with allow: take it back')
    .action((action: string | undefined, which: string | undefined, flags: Flags) => {
      if (action === undefined || action === 'list') return list(flags, ports)
      if (!Object.hasOwn(ACTIONS, action)) throw unknownAction(action)
      ACTIONS[action]?.(which, flags, ports)
    })
}

function list({ json }: Flags, ports: Ports): void {
  const rows = agentRows(ports)
  const text = json
    ? `${JSON.stringify({ agents: rows.map(agentJson) })}\n`
    : renderAgents(rows, ports.bus().clock.now())
  ports.print(text)
}

function show(which: string | undefined, { json }: Flags, ports: Ports): void {
  const bus = ports.bus()
  const row = rowOf(bus, requireListed(named(which, 'show'), ports))
  const text = () => renderAgent(row, nextRun(row.definition, bus.clock.now()))
  ports.print(json ? `${JSON.stringify(agentJson(row))}\n` : text())
}

function nextRun(definition: Definition | undefined, now: number): string | undefined {
  const next = definition?.schedule && nextTime(definition.schedule, now)
  return next ? localTime(isoTime(next)) : undefined
}

function check(which: string | undefined, { json }: Flags, ports: Ports): void {
  const checked = which === undefined ? listDefinitions(ports, ports.cwd) : [listedAt(which, ports)]
  if (checked.some(({ status }) => status === 'invalid')) ports.setExitCode(EXIT.fault)
  const text = () => checked.map(renderChecked).join('') || renderAgents([], 0)
  ports.print(json ? `${JSON.stringify({ agents: checked.map(agentJson) })}\n` : text())
}

/** A file, or an agent by its name. */
function listedAt(which: string, ports: Ports): Listed {
  if (!/[./]/.test(which)) return requireListed(parseName(which), ports)
  const place = placeOf(resolve(ports.cwd, which), ports.bus().home)
  const listed = readListed(place)
  if (listed.status !== 'not allowed') return listed
  return { ...listed, status: listed.findings.length > 0 ? 'warnings' : 'valid' }
}

function init(which: string | undefined, { json }: Flags, ports: Ports): void {
  if (which !== undefined)
    throw new CodedError('USAGE', 'init takes no name: it writes all the agents to begin with', {
      hint: `agent-chat agents init; then copy one of its files to ${ports.bus().home.agents}/<name>.md`,
    })
  const done = initAgents(ports)
  const lines = [
    ...done.written.map((path) => `wrote ${path}`),
    ...done.kept.map((path) => `kept ${path}, which was there`),
    'see them with: agent-chat agents',
  ]
  ports.print(`${json ? JSON.stringify(done) : lines.join('\n')}\n`)
}

function allow(which: string | undefined, { json, revoke }: Flags, ports: Ports): void {
  const name = named(which, 'allow')
  ports.print(revoke ? revoked(name, json, ports) : allowed(name, json, ports))
}

function allowed(name: string, json: boolean | undefined, ports: Ports): string {
  const definition = allowDefinition(name, ports)
  const { path, hash } = definition
  return json ? `${JSON.stringify({ name, path, hash })}\n` : renderAllowed(definition)
}

function revoked(name: string, json: boolean | undefined, ports: Ports): string {
  const paths = revokeDefinition(name, ports)
  const said = paths.length === 0 ? 'was not allowed' : 'is no longer allowed'
  return json ? `${JSON.stringify({ name, paths })}\n` : `@${name} ${said}\n`
}

function named(which: string | undefined, action: string): string {
  if (which !== undefined) return parseName(which)
  throw new CodedError('USAGE', 'the name of an agent is missing', {
    hint: `agent-chat agents ${action} researcher; see the names with: agent-chat agents`,
  })
}

function unknownAction(action: string): CodedError {
  const near = nearest(action, Object.keys(ACTIONS))
  const one = /^@?[a-z][a-z0-9-]*$/.test(action)
    ? `to see one agent: agent-chat agents show ${action.replace('@', '')}; `
    : ''
  return new CodedError(
    'USAGE',
    `${quote(action)} is not one of: ${Object.keys(ACTIONS).join(', ')}`,
    {
      hint: near
        ? `did you mean: agent-chat agents ${near}`
        : `${one}to list all: agent-chat agents; to write some to begin with: agent-chat agents init`,
    },
  )
}
