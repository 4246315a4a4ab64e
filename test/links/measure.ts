import { readFileSync } from 'node:fs'
import { evidence } from './page.ts'

/** The page of what breaks a bridge. */
export const bridgePage = evidence(
  'bridge',
  `# What breaks a bridge, and what is left then

Written by \`LINKS_WRITE=1 npm run links -- nats\` (\`test/links/nats*.faults.ts\`), with a real nats-server on this
machine, SYSTEM. Four sessions of home a write to one session of home b. The
columns are those of [what breaks a link](links.md). Where there are 200 machines, two have real bridges; the others are
connections of one process, each with its own key, consumer, subjects and home. The server was started again after the
invitations.`,
)

/** What a process has used so far, in seconds of a core; what it holds, and held at most, in MB. */
export function usedBy(pid: number): { seconds: number; megabytes: number; most: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (what: string) =>
    Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  const seconds = (Number(stat[11]) + Number(stat[12])) / 100
  return { seconds, megabytes: megabytes('VmRSS'), most: megabytes('VmHWM') }
}
