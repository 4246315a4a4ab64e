import type { Conversation, Done, Failure, Found, Page, Room, TaskCard } from '../wire.ts'

/** An answer that is no yes: why, what to do, and the status; 0 where no server answered. */
export class Refused extends Error {
  status: number
  hint: string
  constructor(status: number, { message, hint }: Pick<Failure, 'message' | 'hint'>) {
    super(message)
    this.status = status
    this.hint = hint
  }
}

const SILENT = {
  message: 'the page does not reach agent-chat',
  hint: 'start it again with: agent-chat web; nothing that you typed is lost',
}

export const api = {
  room: () => ask<Room>('/api/room'),
  rows: (before: string) => ask<Page & { rotated?: true }>(`/api/rows?before=${before}`),
  thread: (id: string) => ask<Conversation>(`/api/thread/${encodeURIComponent(id)}`),
  tasks: () => ask<TaskCard[]>('/api/tasks'),
  search: (words: string) => ask<Found>(`/api/search?q=${encodeURIComponent(words)}`),
  /** Does something; `key` has a click that comes twice count once. */
  act: (act: string, fields: Record<string, unknown>) =>
    ask<Done>(`/api/${act}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    }),
}

/** A key for what somebody does once. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(36)).join('')
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init).catch(() => undefined)
  const value: unknown = await response?.json().catch(() => undefined)
  if (response === undefined || value === undefined) throw new Refused(0, SILENT)
  if (response.ok) return value as T
  throw new Refused(response.status, (value as { error: Failure }).error ?? SILENT)
}
