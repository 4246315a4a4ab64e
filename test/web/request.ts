import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { LONGEST_MS, until } from '../../src/testing/until.ts'
import type { Served } from './served.ts'

/** What a browser holds once it has opened the page. */
export async function openedCookie(served: Served): Promise<string> {
  const response = await fetch(served.opening())
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Does what the page does by `act`; gives the status and the answer. */
export async function post(
  { address }: Served,
  cookie: string,
  act: string,
  fields: Record<string, unknown>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${address}/api/${act}`, {
    method: 'POST',
    headers: { Cookie: cookie, Origin: address, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

export async function get(
  { address }: Served,
  cookie: string,
  path: string,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${address}${path}`, { headers: { Cookie: cookie } })
  return (await response.json()) as Record<string, unknown>
}

/** Sends these very bytes and gives the first line of the answer. */
export function raw(port: number, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(lines.join('\r\n')))
    let text = ''
    const inVain = new Error(`waited ${LONGEST_MS} ms in vain: an answer to ${lines[0]}`)
    socket.setTimeout(LONGEST_MS, () => socket.destroy(inVain))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.includes('\r\n')) socket.destroy()
    })
    socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''))
    socket.on('error', reject)
  })
}

export type Event = { event: string; id: string; data: unknown }

/** A tab: all that it has heard so far, and how to cut it. */
export type Tab = { events: Event[]; ids: () => string[]; cut: () => void; closed: () => boolean }

/** Connects as a tab does; `after` as the browser says it when it comes back. */
export function openTab(served: Served, cookie: string, after?: string): Tab {
  const events: Event[] = []
  let closed = false
  let rest = ''
  const headers = { Cookie: cookie, ...(after === undefined ? {} : { 'Last-Event-ID': after }) }
  const call = request(`${served.address}/events`, { headers, agent: false })
  const take = (chunk: Buffer) => {
    rest += chunk
    const frames = rest.split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1] ?? ''
      if (field('event') !== '')
        events.push({ event: field('event'), id: field('id'), data: JSON.parse(field('data')) })
    }
  }
  const end = () => {
    closed = true
  }
  call.on('response', (response: IncomingMessage) =>
    response.on('data', take).on('error', end).on('close', end),
  )
  call.on('error', end)
  call.end()
  onTestFinished(() => void call.destroy())
  return {
    events,
    ids: () =>
      events.flatMap(({ event, data }) => (event === 'row' ? (data as { id: string }).id : [])),
    cut: () => call.destroy(),
    closed: () => closed,
  }
}

/** A tab that is connected, and has been told what is now. */
export async function liveTab(served: Served, cookie: string, after?: string): Promise<Tab> {
  const tab = openTab(served, cookie, after)
  await until('the tab is told what is now', () => tab.events.some(({ event }) => event === 'now'))
  return tab
}
