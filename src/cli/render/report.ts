import type { Report } from '../report.ts'

/** What whoever is about to publish a report has to know. */
export const REPORT_HOLDS = [
  'In it: versions, the names of AGENT_CHAT_* variables, the checks, session names, counts per inbox, states, ids and times of messages, and where in the program faults were.',
  'Not in it: what any message says (no body, subject or preview), why anything was refused or held, working directories, environments. Your own directory is written as ~.',
]

/** A report as markdown. */
export function renderReport({ made_at, parts }: Report): string {
  const blocks = parts.map(
    ({ title, lines }) => `## ${title}\n\n\`\`\`\n${lines.join('\n').replaceAll('```', "'''")}\n\`\`\`\n`,
  )
  return `# agent-chat report${made_at === null ? '' : `, ${made_at}`}\n\n${REPORT_HOLDS.join('\n\n')}\n\n${blocks.join('\n')}`
}
