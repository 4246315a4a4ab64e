import { isUtf8 } from 'node:buffer'
import { isAbsolute } from 'node:path'
import { AGENTS, agentOf } from '../../agents/agents.ts'
import { isModel } from '../../agents/model.ts'
import { isCoded } from '../../errors.ts'
import { parseFrontMatter } from '../../message/format.ts'
import type { FieldValue } from '../../message/message.ts'
import { isReserved, NAME_PATTERN, quote } from '../../message/name.ts'
import { plural } from '../../message/text.ts'
import { visible } from '../../message/visible.ts'

/**
 * A session of a team. `folder`: below the repository, '.' for itself. `brief`: what it is told
 * when it begins; empty for nothing.
 */
export type Member = {
  name: string
  agent: string
  folder: string
  model: string | undefined
  brief: string
}

/** No team has more sessions. */
const MAX_MEMBERS = 12

const KEYS = ['name', 'agent', 'folder', 'model']

/** What is wrong with a team file, in words that go on from its path. */
class Wrong extends Error {}

/** The team that a file describes, or what is wrong with it. Looks at nothing but its bytes. */
export function parseTeam(bytes: Buffer): Member[] | string {
  try {
    const { fields, content } = frontMatterOf(textOf(bytes))
    const members = membersIn(fields)
    const briefs = briefsIn(content, members)
    return members.map((member) => ({ ...member, brief: briefs.get(member.name) ?? '' }))
  } catch (error) {
    if (error instanceof Wrong) return error.message
    throw error
  }
}

/** What the person reads before their yes has to be all that is there. */
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Wrong('is not UTF-8 text')
  const text = bytes.toString('utf8')
  if (text.includes('\r')) throw new Wrong('has lines that end with CR LF')
  const lines = text.split('\n')
  const at = lines.findIndex((line) => visible(line) !== line)
  if (at < 0) return text
  throw new Wrong(`has characters in line ${at + 1} that cannot be seen: ${shown(lines[at])}`)
}

function frontMatterOf(text: string): ReturnType<typeof parseFrontMatter> {
  try {
    return parseFrontMatter(text)
  } catch (error) {
    if (isCoded(error, 'MESSAGE_UNREADABLE')) throw new Wrong(`cannot be read: ${error.message}`)
    throw error
  }
}

function membersIn(fields: Record<string, FieldValue>): Omit<Member, 'brief'>[] {
  requireKeys(fields, ['sessions'], 'its header')
  const { sessions } = fields
  if (!Array.isArray(sessions) || sessions.length === 0) throw new Wrong('has no list of sessions')
  if (sessions.length > MAX_MEMBERS)
    throw new Wrong(`has more than ${plural(MAX_MEMBERS, 'session')}: ${sessions.length}`)
  const members = sessions.map(memberOf)
  const twice = members.find(({ name }, at) => members.findIndex((one) => one.name === name) < at)
  if (twice) throw new Wrong(`has the session ${twice.name} twice`)
  return members
}

function memberOf(value: FieldValue): Omit<Member, 'brief'> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Wrong(`has a session that is ${shown(value)}, not a name with its settings`)
  const { name, agent = AGENTS[0].name, folder = '.', model } = value
  if (typeof name !== 'string' || !NAME_PATTERN.test(name) || isReserved(name))
    throw new Wrong(`has a session with the name ${shown(name)}, which no session can have`)
  requireKeys(value, KEYS, `its session ${name}`)
  if (typeof agent !== 'string' || agentOf(agent) === undefined)
    throw new Wrong(
      `gives ${name} the agent ${shown(agent)}, not one of: ${AGENTS.map((one) => one.name).join(', ')}`,
    )
  if (typeof folder !== 'string' || !isBelow(folder))
    throw new Wrong(`gives ${name} the folder ${shown(folder)}, which is not below the repository`)
  if (model !== undefined && (typeof model !== 'string' || !isModel(model)))
    throw new Wrong(`gives ${name} the model ${shown(model)}, which is not the name of one`)
  return { name, agent, folder, model }
}

/** By its words; where it leads is looked at before something is started there. */
function isBelow(folder: string): boolean {
  return folder.trim() !== '' && !isAbsolute(folder) && !/^~|(^|\/)\.\.(\/|$)/.test(folder)
}

function requireKeys(value: Record<string, FieldValue>, keys: string[], where: string): void {
  const other = Object.keys(value).find((key) => !keys.includes(key))
  if (other !== undefined)
    throw new Wrong(`has ${shown(other)} in ${where}, which may have: ${keys.join(', ')}`)
}

/** The text below `## <name>`, of each. What is in a fenced block is no heading. */
function briefsIn(content: string, members: { name: string }[]): Map<string, string> {
  const briefs = new Map<string, string>()
  let at: string | undefined
  let fence = ''
  for (const line of content.split('\n')) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    const isHeading = fence === '' && mark === '' && /^##\s/.test(line)
    if (fence === '') fence = mark
    else if (mark.startsWith(fence)) fence = ''
    if (isHeading) {
      at = line.slice(2).trim()
      if (!members.some(({ name }) => name === at))
        throw new Wrong(`has the heading ${shown(line)}, which is no session of its header`)
      if (briefs.has(at)) throw new Wrong(`has the heading ${shown(line)} twice`)
      briefs.set(at, '')
    } else if (at !== undefined) briefs.set(at, `${briefs.get(at)}${line}\n`)
  }
  for (const [name, brief] of briefs) briefs.set(name, brief.trim())
  return briefs
}

function shown(value: unknown): string {
  return quote(visible(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none')))
}
