import { inboxJson, jsonForm } from '../chat/inbox/json.ts'
import { readInbox } from '../chat/inbox.ts'
import type { Ports } from '../chat/ports.ts'
import { statusOf } from '../chat/status/status.ts'
import { threadJson, threadOf } from '../chat/thread.ts'
import { visible } from '../message/visible.ts'
import { sessionsAndWorkers } from '../session/workers.ts'
import { readPlainFile } from '../system/files.ts'
import { present } from './present.ts'

const JSON_TYPE = 'application/json'
const MOST_BYTES = 64 * 1024

export const TEMPLATES = [
  {
    uriTemplate: 'chat://thread/{id}',
    name: 'thread',
    description: 'A whole conversation, by the id of one of its messages',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: 'chat://agents/{name}',
    name: 'agent',
    description: 'What a session or worker is doing, and its definition',
    mimeType: JSON_TYPE,
  },
]

/** The resources that can be named now. */
export function listResources(ports: Ports) {
  const agents = Object.keys(sessionsAndWorkers(ports.bus()))
  return [
    {
      uri: 'chat://inbox/me',
      name: 'inbox',
      description: 'Your unread messages; they stay unread',
      mimeType: JSON_TYPE,
    },
    ...agents.map((name) => ({ uri: `chat://agents/${name}`, name, mimeType: JSON_TYPE })),
  ]
}

/** The text of a resource, or undefined where there is none of this name. Throws as its command. */
export async function readResource(uri: string, ports: Ports): Promise<string | undefined> {
  const [, kind, name = ''] = /^chat:\/\/(inbox|thread|agents)\/([\w.:+@-]{1,200})$/.exec(uri) ?? []
  if (kind === 'inbox' && name === 'me') return textOf(await inbox(ports))
  if (kind === 'thread') return textOf(thread(name, ports))
  if (kind === 'agents') return textOf(await agent(name, ports))
  return undefined
}

async function inbox(ports: Ports): Promise<unknown> {
  let data: unknown
  const request = { peek: true, budget: { bytes: MOST_BYTES, form: jsonForm } }
  await readInbox(request, ports, (found) => {
    data = inboxJson(found, true)
  })
  return data
}

/** The newest messages that have room, and how many are left out. */
function thread(part: string, ports: Ports): unknown {
  const found = threadOf(part, ports)
  let left = MOST_BYTES
  const fits = found.messages.toReversed().filter(({ body }) => {
    left -= Buffer.byteLength(body)
    return left >= 0
  })
  const messages = fits.toReversed()
  return {
    ...threadJson({ ...found, messages }),
    left_out: found.messages.length - messages.length,
  }
}

async function agent(name: string, ports: Ports): Promise<unknown> {
  const [status] = await statusOf(name, ports)
  const file = status && readPlainFile(ports.bus().home.agentFile(status.name), MOST_BYTES)
  return {
    ...(status && present(status)),
    ...(Buffer.isBuffer(file) ? { definition: file.toString() } : {}),
  }
}

function textOf(data: unknown): string {
  return visible(JSON.stringify(data, null, 1))
}
