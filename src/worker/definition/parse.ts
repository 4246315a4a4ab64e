import { basename } from 'node:path'
import { isCoded } from '../../errors.ts'
import { parseFrontMatter } from '../../message/format.ts'
import type { FieldValue } from '../../message/message.ts'
import { isReserved, NAME_PATTERN, nameLike } from '../../message/name.ts'
import { digestOf } from '../../system/digest.ts'
import type { Definition, Finding, Place } from './definition.ts'
import { type Section, sectionsOf } from './sections.ts'
import { settingsIn } from './settings.ts'
import { toolsIn } from './tools.ts'

/**
 * The agent that a markdown file defines, named as the file is; with any finding that is an error
 * there is none. Looks at nothing but the text.
 */
export function parseDefinition(
  text: string,
  place: Place,
): { definition?: Definition; findings: Finding[] } {
  const name = basename(place.path, '.md')
  const { fields, content, findings } = frontMatterOf(text)
  const { title, sections, strangers, twice } = sectionsOf(content)
  const { settings, findings: ofSettings } = settingsIn(fields, place)
  findings.push(...nameFindings(name), ...ofSettings)
  if (title === '') findings.push(missing('# Title', `write what it is called: # ${name}`))
  for (const section of twice)
    findings.push({ level: 'error', text: `the section "${HEADINGS[section]}" is there twice` })
  for (const heading of strangers)
    findings.push({ level: 'warning', text: `the section ${JSON.stringify(heading)} is not used` })
  const tools = toolsIn(sections['allowed tools'] ?? '')
  if (sections['allowed tools'] === undefined)
    findings.push(missing(HEADINGS['allowed tools'], 'add it, with one tool a line: - read'))
  else findings.push(...tools.findings)
  for (const section of ['description', 'system prompt'] as const)
    if (!sections[section]) findings.push(missing(HEADINGS[section], HINTS[section]))
  if (findings.some(({ level }) => level === 'error')) return { findings }
  const { description = '', 'system prompt': prompt = '' } = sections
  const { path, source } = place
  const hash = digestOf(Buffer.from(text))
  return {
    definition: {
      name,
      path,
      hash,
      source,
      title,
      description,
      tools: tools.tools,
      words: tools.words,
      createsOnly: tools.createsOnly,
      prompt,
      ...settings,
    },
    findings,
  }
}

const HEADINGS: Record<Section, string> = {
  description: '## Description',
  'allowed tools': '## Allowed Tools',
  'system prompt': '## System Prompt',
}

const HINTS = {
  description: 'write in one or two sentences for which work it is',
  'system prompt': 'write what the agent is told before each message',
}

function frontMatterOf(text: string): {
  fields: Record<string, FieldValue>
  content: string
  findings: Finding[]
} {
  const plain = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  try {
    return { ...parseFrontMatter(plain), findings: [] }
  } catch (error) {
    if (!isCoded(error, 'MESSAGE_UNREADABLE')) throw error
    const content = plain.replace(/^---[\s\S]*?\n---[^\S\n]*(\n|$)/, '')
    return { fields: {}, content, findings: [{ level: 'error', text: error.message }] }
  }
}

function nameFindings(name: string): Finding[] {
  if (!NAME_PATTERN.test(name))
    return [
      {
        level: 'error',
        text: `${JSON.stringify(name)} is not a name: 1 to 32 of a-z, 0-9 and -, a letter first`,
        hint: `rename the file, for example to ${nameLike(name) ?? 'coder'}.md`,
      },
    ]
  if (!isReserved(name)) return []
  const text = `the name ${name} is reserved`
  return [{ level: 'error', text, hint: 'rename the file, for example to coder.md' }]
}

function missing(what: string, hint: string): Finding {
  return { level: 'error', text: `"${what}" is missing`, hint }
}
