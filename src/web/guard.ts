import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { secureHeaders } from 'hono/secure-headers'
import { statusPage } from './pages.ts'
import type { Keys } from './token.ts'

/** A loopback name, with any port: behind a tunnel the browser's is another. */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/

/** Nothing inline, nothing from elsewhere, in no frame, kept nowhere. */
export const headers = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    ...{ scriptSrc: ["'self'"], styleSrc: ["'self'"], imgSrc: ["'self'"], connectSrc: ["'self'"] },
    ...{ baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
  xFrameOptions: 'DENY',
  crossOriginResourcePolicy: 'same-origin',
  strictTransportSecurity: false,
})

/**
 * Lets a request pass whose Host is this machine and whose Origin is this page. What only looks
 * comes from anywhere but another site's page; what does something has JSON and names its origin.
 */
export const sameOrigin: MiddlewareHandler = async (c, next) => {
  c.header('Cache-Control', 'no-store')
  const host = c.req.header('host') ?? ''
  if (!LOOPBACK.test(host)) return refuse(c, 421, 'this address is not the page’s')
  const origin = c.req.header('origin')
  const does = c.req.method !== 'GET' && c.req.method !== 'HEAD'
  const isOwn = origin === `http://${host}`
  if (origin !== undefined ? !isOwn : does) return refuse(c, 403, 'another page asked for this')
  const site = c.req.header('sec-fetch-site') ?? 'none'
  const opens = c.req.path.startsWith('/open/')
  if (!opens && site !== 'same-origin' && site !== 'none')
    return refuse(c, 403, 'another page asked for this')
  if (does && !/^application\/json(;|$)/.test(c.req.header('content-type') ?? ''))
    return refuse(c, 415, 'only JSON is taken')
  return next()
}

/** Lets nobody pass without the cookie. */
export function withCookie(keys: Keys): MiddlewareHandler {
  return async (c, next) => {
    if (keys.isKey(getCookie(c, keys.cookie))) return next()
    return refuse(c, 401, 'this browser has not opened the page yet')
  }
}

const HINT = 'run: agent-chat web, and open the address that it prints'

export function refuse(c: Context, status: 401 | 403 | 404 | 413 | 415 | 421, message: string) {
  if (c.req.path.startsWith('/api/') || c.req.path === '/events')
    return c.json({ error: { code: `HTTP_${status}`, message, hint: HINT } }, status)
  return c.html(statusPage(message, HINT), status)
}
