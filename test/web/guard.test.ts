import { lstatSync, rmSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tempBus } from '../../src/testing/home.ts'
import { openedCookie, raw } from './request.ts'
import { type Served, serve } from './served.ts'

/** A server that runs for one test. */
async function served(): Promise<
  Served & { cookie: string; home: ReturnType<typeof tempBus>['home'] }
> {
  const { home } = tempBus(['backend'])
  const server = await serve(home)
  onTestFinished(() => server.kill('SIGTERM'))
  return { ...server, cookie: await openedCookie(server), home }
}

type Row = [
  what: string,
  method: string,
  path: string,
  headers: (port: number, cookie: string) => string[],
  status: string,
]

const own = (port: number) => `Host: 127.0.0.1:${port}`
const JSON_TYPE = 'Content-Type: application/json'
const cookieOf = (cookie: string) => `Cookie: ${cookie}`
const origin = (port: number) => `Origin: http://127.0.0.1:${port}`

const MATRIX: Row[] = [
  ['the page', 'GET', '/', (p, c) => [own(p), cookieOf(c)], '200'],
  [
    'by the name localhost',
    'GET',
    '/api/room',
    (p, c) => [`Host: localhost:${p}`, cookieOf(c)],
    '200',
  ],
  [
    'behind a tunnel, on another port',
    'GET',
    '/api/room',
    (_, c) => ['Host: localhost:9999', cookieOf(c)],
    '200',
  ],
  ['by IPv6', 'GET', '/api/room', (p, c) => [`Host: [::1]:${p}`, cookieOf(c)], '200'],
  ['no cookie', 'GET', '/', (p) => [own(p)], '401'],
  ['no cookie, data', 'GET', '/api/room', (p) => [own(p)], '401'],
  ['no cookie, events', 'GET', '/events', (p) => [own(p)], '401'],
  ['no cookie, script', 'GET', '/page.js', (p) => [own(p)], '401'],
  [
    'another cookie',
    'GET',
    '/api/room',
    (p, c) => [own(p), cookieOf(`${c.slice(0, -2)}xx`)],
    '401',
  ],
  [
    'the cookie twice, once wrong',
    'GET',
    '/api/room',
    (p, c) => [own(p), cookieOf(`${c.split('=')[0]}=x; ${c}`)],
    '401',
  ],
  [
    'an empty cookie',
    'GET',
    '/api/room',
    (p, c) => [own(p), cookieOf(`${c.split('=')[0]}=`)],
    '401',
  ],
  ['another host', 'GET', '/', (_, c) => ['Host: evil.example', cookieOf(c)], '421'],
  [
    'a host that begins alike',
    'GET',
    '/',
    (_, c) => ['Host: 127.0.0.1.evil.example', cookieOf(c)],
    '421',
  ],
  [
    'a host with a user',
    'GET',
    '/',
    (p, c) => [`Host: 127.0.0.1:${p}@evil.example`, cookieOf(c)],
    '400',
  ],
  ['no host', 'GET', '/', (_, c) => [cookieOf(c)], '400'],
  [
    'another origin that reads',
    'GET',
    '/api/room',
    (p, c) => [own(p), cookieOf(c), 'Origin: http://evil.example'],
    '403',
  ],
  [
    'another port of this machine reads',
    'GET',
    '/api/room',
    (p, c) => [own(p), cookieOf(c), 'Origin: http://127.0.0.1:3000'],
    '403',
  ],
  [
    'another site embeds',
    'GET',
    '/page.js',
    (p, c) => [own(p), cookieOf(c), 'Sec-Fetch-Site: cross-site'],
    '403',
  ],
  [
    'another port embeds',
    'GET',
    '/page.js',
    (p, c) => [own(p), cookieOf(c), 'Sec-Fetch-Site: same-site'],
    '403',
  ],
  [
    'a deed of the page',
    'POST',
    '/api/seen',
    (p, c) => [own(p), cookieOf(c), origin(p), JSON_TYPE],
    '200',
  ],
  [
    'a deed without an origin',
    'POST',
    '/api/seen',
    (p, c) => [own(p), cookieOf(c), JSON_TYPE],
    '403',
  ],
  [
    'a deed of no origin',
    'POST',
    '/api/seen',
    (p, c) => [own(p), cookieOf(c), 'Origin: null', JSON_TYPE],
    '403',
  ],
  [
    'a deed of https',
    'POST',
    '/api/seen',
    (p, c) => [own(p), cookieOf(c), `Origin: https://127.0.0.1:${p}`, JSON_TYPE],
    '403',
  ],
  [
    'a deed of another',
    'POST',
    '/api/seen',
    (p, c) => [own(p), cookieOf(c), 'Origin: http://evil.example', JSON_TYPE],
    '403',
  ],
  [
    'a deed by a form',
    'POST',
    '/api/seen',
    (p, c) => [own(p), cookieOf(c), origin(p), 'Content-Type: text/plain'],
    '415',
  ],
  ['a deed without a cookie', 'POST', '/api/seen', (p) => [own(p), origin(p), JSON_TYPE], '401'],
  [
    'an unknown deed',
    'POST',
    '/api/constructor',
    (p, c) => [own(p), cookieOf(c), origin(p), JSON_TYPE],
    '409',
  ],
  ['PUT', 'PUT', '/api/seen', (p, c) => [own(p), cookieOf(c), origin(p), JSON_TYPE], '404'],
  ['OPTIONS', 'OPTIONS', '/api/seen', (p, c) => [own(p), cookieOf(c)], '403'],
  ['another file', 'GET', '/../../etc/passwd', (p, c) => [own(p), cookieOf(c)], '404'],
  ['an encoded file', 'GET', '/%2e%2e/%2e%2e/etc/passwd', (p, c) => [own(p), cookieOf(c)], '404'],
  [
    'a wrong token',
    'GET',
    '/open/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    (p) => [own(p)],
    '403',
  ],
  ['an empty token', 'GET', '/open/', (p) => [own(p)], '401'],
]

describe('who gets in', () => {
  test('by raw sockets: the one who has the cookie, from the page itself', async () => {
    const { port, cookie } = await served()
    const answers = await Promise.all(
      MATRIX.map(async ([what, method, path, headers, status]) => {
        const body = method === 'GET' ? '' : '{"ids":[]}'
        const line = await raw(port, [
          `${method} ${path} HTTP/1.1`,
          ...headers(port, cookie),
          ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
          'Connection: close',
          '',
          body,
        ])
        return [what, line.split(' ')[1], status]
      }),
    )
    expect(answers.filter(([, got, status]) => got !== status)).toEqual([])
  })

  test('a token opens the page once, and the file has another one then', async () => {
    const server = await served()
    const first = server.opening()
    expect((await fetch(first)).status).toBe(200)
    expect((await fetch(first)).status).toBe(403)
    expect(server.opening()).not.toBe(first)
    const set = (await fetch(server.opening())).headers.get('set-cookie')
    expect(set).toMatch(/; HttpOnly/)
    expect(set).toMatch(/; SameSite=Strict/)
  })

  test('its files are the user’s alone, and it listens on this machine alone', async () => {
    const { home, port } = await served()
    for (const path of [home.webKey, home.webOpen, home.webServer])
      expect(lstatSync(path).mode & 0o777).toBe(0o600)
    expect(lstatSync(home.web).mode & 0o777).toBe(0o700)
    await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow()
  })

  test('nothing inline, from elsewhere or in a frame, and nothing is kept', async () => {
    const { address, cookie } = await served()
    const { headers } = await fetch(address, { headers: { Cookie: cookie } })
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('who removes the key and serves again has closed every page', async () => {
    const { home, cookie, kill, address, port } = await served()
    await kill('SIGTERM')
    rmSync(home.webKey)
    const again = await serve(home, port)
    onTestFinished(() => again.kill('SIGTERM'))
    expect((await fetch(`${address}/api/room`, { headers: { Cookie: cookie } })).status).toBe(401)
  })
})
