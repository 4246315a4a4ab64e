import type { Report } from '../../doctor/report.ts'

/** What whoever is about to publish a report has to know. */
export const REPORT_HOLDS = [
  'It has: versions, the names of AGENT_CHAT_* variables, the checks, session names, counts per inbox, states.',
  'It does not have: text of messages, the history or logs. Your home directory appears as ~.',
]

/** A report as markdown. */
export function renderReport({ made_at, parts }: Report): string {
  const blocks = parts.map(
    ({ title, lines }) =>
      `## ${title}\n\n\`\`\`\n${lines.join('\n').replaceAll('```', "'''")}\n\`\`\`\n`,
  )
  return `# agent-chat report${made_at === null ? '' : `, ${made_at}`}\n\n${REPORT_HOLDS.join('\n\n')}\n\n${blocks.join('\n')}`
}
