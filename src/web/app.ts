import type { ServerResponse } from 'node:http'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { setCookie } from 'hono/cookie'
import { streamSSE } from 'hono/streaming'
import { homeError } from '../bus/homeError.ts'
import { EXIT } from '../chat/exit.ts'
import { failureOf } from '../chat/failure.ts'
import { parsePlace } from '../chat/live/past.ts'
import { NAME_PATTERN } from '../message/name.ts'
import { type Fields, openActs } from './act.ts'
import { headers, refuse, sameOrigin, withCookie } from './guard.ts'
import type { Hub } from './hub.ts'
import { ICON, mainPage, openedPage } from './pages.ts'
import type { Ports } from './ports.ts'
import { conversationOf, found, tasksNow } from './reads.ts'
import { pageBefore } from './rows.ts'
import { openTab } from './tab.ts'
import type { Keys } from './token.ts'

/** The script and the style of the page, as text. */
export type Assets = { script: string; style: string }

/** A request as Node has it: the adapter of hono gives it along. */
type App = Hono<{ Bindings: { outgoing: ServerResponse } }>

/** A message of the longest kind, with room for its paths. */
const MAX_REQUEST = 512 * 1024

/** Every address of the page. */
export function webApp(hub: Hub, keys: Keys, assets: Assets, ports: Ports): App {
  const app: App = new Hono()
  app.use(headers, sameOrigin)
  const tooLong = bodyLimit({
    maxSize: MAX_REQUEST,
    onError: (c) => refuse(c, 413, 'that is longer than a message may be'),
  })
  app.get('/open/:token', (c) => {
    if (!keys.spend(c.req.param('token'))) return refuse(c, 403, 'this address was used before')
    setCookie(c, keys.cookie, keys.key, { httpOnly: true, sameSite: 'Strict', path: '/' })
    return c.html(openedPage())
  })
  const css = { 'Content-Type': 'text/css; charset=utf-8' }
  app.get('/page.css', (c) => c.body(assets.style, 200, css))
  app.use(withCookie(keys))
  app.get('/', (c) => c.html(mainPage(ports.version)))
  app.get('/page.js', (c) =>
    c.body(assets.script, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }),
  )
  app.get('/icon.svg', (c) => c.body(ICON, 200, { 'Content-Type': 'image/svg+xml' }))
  addReads(app, hub, ports)
  const act = openActs(ports)
  app.post('/api/:act', tooLong, async (c) => {
    const fields: unknown = await c.req.json().catch(() => undefined)
    if (typeof fields !== 'object' || fields === null) return refuse(c, 415, 'only JSON is taken')
    return c.json(await act(c.req.param('act'), fields as Fields))
  })
  app.notFound((c) => refuse(c, 404, 'there is nothing at this address'))
  app.onError((error, c) => {
    const { code, message, hint, exit } = failureOf(homeError(ports.bus().home, error))
    const status = exit === EXIT.notFound ? 404 : exit === EXIT.fault ? 503 : 409
    return c.json({ error: { code, message, hint } }, status)
  })
  return app
}

function addReads(app: App, hub: Hub, ports: Ports): void {
  app.get('/api/room', async (c) => c.json(await hub.room()))
  app.get('/api/rows', (c) => {
    const place = parsePlace(c.req.query('before'))
    const page = place && pageBefore(ports.bus(), place)
    return c.json(page ?? { rows: [], next: null, rotated: true })
  })
  app.get('/api/thread/:id', async (c) => c.json(await conversationOf(c.req.param('id'), ports)))
  app.get('/api/tasks', (c) => c.json(tasksNow(ports)))
  app.get('/api/search', (c) => c.json(found(c.req.query('q') ?? '', ports)))
  app.get('/events', (c) =>
    streamSSE(c, (stream) => {
      const tab = openTab(stream, c.env.outgoing)
      const after = c.req.header('last-event-id') ?? c.req.query('after')
      return tab.until(hub.join(tab, after))
    }),
  )
  app.get('/api/stream/:name/:message', (c) => {
    const { name, message } = c.req.param()
    if (!NAME_PATTERN.test(name)) return refuse(c, 404, 'no worker has this name')
    return streamSSE(c, async (stream) => {
      const tab = openTab(stream, c.env.outgoing)
      const { followWords } = await ports.workers()
      const from = Number(c.req.header('last-event-id') ?? -1) + 1
      const following = followWords(
        name,
        message,
        from || 0,
        (piece) => tab.write(`id: ${piece.n}\ndata: ${JSON.stringify(piece)}\n\n`),
        ports,
      )
      void following.done.then(tab.close)
      return tab.until(following.stop)
    })
  })
}
