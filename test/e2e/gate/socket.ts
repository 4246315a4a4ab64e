import { readdir, readFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { eventually } from '../harness/poll.ts'
import type { World } from '../harness/world.ts'

/** A doorbell's ring about a message of yours, as the client wraps it. */
export const RING =
  '<task-notification>\n<summary>Stop hook feedback</summary>\n</task-notification>\n<system-reminder>\nStop hook blocking error from command "FileChanged": New message from @human. Check inbox.\n</system-reminder>'

/** Waits until the client's record holds words that begin so. */
export async function recorded(world: Pick<World, 'home'>, words: string): Promise<void> {
  await eventually(`the record to hold ${words}`, async () =>
    (await recordsOf(world)).some((text) => text.includes(`"content":"${words}`)),
  )
}

/** How often a client has put words aside, with their text or without. */
export async function queuedIn(world: Pick<World, 'home'>): Promise<number> {
  return (await recordsOf(world)).join('').split('"operation":"enqueue"').length
}

async function recordsOf({ home }: Pick<World, 'home'>): Promise<string[]> {
  const projects = join(home, '.claude', 'projects')
  const files = (await readdir(projects, { recursive: true })).filter((file) =>
    file.endsWith('.jsonl'),
  )
  return Promise.all(files.map((file) => readFile(join(projects, file), 'utf8')))
}

/** Sends a prompt to a client as any other program of its user can. */
export async function post({ home }: Pick<World, 'home'>, content: string): Promise<void> {
  const socket = await socketIn(home)
  await new Promise<void>((resolve, reject) => {
    const line = `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`
    createConnection(socket, function (this: ReturnType<typeof createConnection>) {
      this.end(line, resolve)
    }).on('error', reject)
  })
}

/** The socket on which the only client of a HOME takes messages from other programs. */
async function socketIn(home: string): Promise<string> {
  const folder = join(home, '.claude', 'sessions')
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  return JSON.parse(await readFile(join(folder, file), 'utf8')).messagingSocketPath
}
