import { readFileSync } from 'node:fs'
import { evidence } from './page.ts'

/** The page of what breaks a bridge. */
export const bridgePage = evidence(
  'bridge',
  `# What breaks a bridge, and what is left then

Written by \`LINKS_WRITE=1 npm run links -- nats\` (\`test/links/nats*.faults.ts\`), with a real nats-server on this
machine, SYSTEM. Four sessions of home a write to one session of home b. The
columns are those of [what breaks a link](links.md). Where there are 200 machines, two have real bridges; the others are
connections of one process, each with its own key, consumer, subjects and home. The server was started with \`GOGC=50\`,
as \`bridge init\` says.`,
)

/** What a process has used so far, in seconds of a core, and what it holds, in megabytes. */
export function usedBy(pid: number): { seconds: number; megabytes: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return { seconds: (Number(stat[11]) + Number(stat[12])) / 100, megabytes: Number(rss) / 1024 }
}
