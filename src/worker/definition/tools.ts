import { nearest } from '../../message/nearest.ts'
import type { Finding } from './definition.ts'

/** The words of a definition, and the client's own names for what they are. */
const TOOLS: Record<string, string> = {
  read: 'Read',
  list: 'Glob',
  glob: 'Glob',
  grep: 'Grep',
  fetch: 'WebFetch',
  search: 'WebSearch',
  create: 'Write',
  write: 'Write',
  edit: 'Edit',
  bash: 'Bash',
}

/** `words`: those that are known, as the definition has them; see `Definition` for the others. */
type ToolsFound = { tools: string[]; words: string[]; createsOnly: boolean; findings: Finding[] }

/** The client's tools that have no word here, and are named as the client does. */
const OTHERS = ['NotebookEdit', 'Agent', 'Task', 'TodoWrite', 'Skill', 'BashOutput', 'KillShell']
const KNOWN = new Set([...Object.values(TOOLS), ...OTHERS])

/**
 * The tools that the lines of `## Allowed Tools` name: the first word of each item. One that is not
 * known is a warning and left out; none at all is an error.
 */
export function toolsIn(text: string): ToolsFound {
  const words = text.split('\n').flatMap(wordsOf)
  const findings: Finding[] = []
  const tools = new Set<string>()
  const known = new Set<string>()
  for (const word of words) {
    const tool = toolOf(word)
    if (tool) {
      tools.add(tool)
      known.add(word.toLowerCase())
    } else findings.push(unknownTool(word))
  }
  if (tools.size === 0)
    findings.push({
      level: 'error',
      text: 'no tool is allowed: an agent needs one at least',
      hint: `under "## Allowed Tools", add a line: - read`,
    })
  const createsOnly = known.has('create') && !known.has('write')
  return { tools: [...tools], words: [...known], createsOnly, findings }
}

/** `- read, grep` is two tools, and `- read: looks at files` one. */
function wordsOf(line: string): string[] {
  const item = /^\s*(?:[-*+]|\d+[.)])\s+(.+)$/.exec(line)?.[1]
  if (item === undefined) return []
  const isList = /^[`\w]+(\s*,\s*[`\w]+)+\s*$/.test(item)
  return (isList ? item.split(',') : [item]).flatMap(
    (part) => /^[`*]*([\w.:-]*\w)/.exec(part.trim())?.[1] ?? [],
  )
}

function toolOf(word: string): string | undefined {
  if (KNOWN.has(word) || /^mcp__\w[\w-]*$/.test(word)) return word
  const small = word.toLowerCase()
  return Object.hasOwn(TOOLS, small) ? TOOLS[small] : undefined
}

function unknownTool(word: string): Finding {
  const near = nearest(word.toLowerCase(), Object.keys(TOOLS))
  return {
    level: 'warning',
    text: `unknown tool ${JSON.stringify(word)}: the agent does not have it`,
    hint:
      near === undefined
        ? `the tools are: ${Object.keys(TOOLS).join(', ')}`
        : `did you mean: - ${near}`,
  }
}
