import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Bus } from '../../../src/bus/bus.ts'
import { sendMessage } from '../../../src/bus/mail/send.ts'
import { tempBus } from '../../../src/testing/home.ts'
import { type Served, serve } from '../../web/served.ts'

/** A home that is served, and a browser's window that has opened it. */
export type Opened = {
  bus: Bus
  served: Served
  context: BrowserContext
  page: Page
  wrong: string[]
}

export function launch(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
}

/**
 * The page with its feed or inbox. `wrong`: what the console complained of, and each request to
 * anywhere else.
 */
export async function openPage(
  browser: Browser,
  play: (bus: Bus) => void = () => {},
  view: 'feed' | 'inbox' = 'feed',
): Promise<Opened> {
  const bus = tempBus(['backend', 'docs', 'frontend', 'reviewer'])
  play(bus)
  const served = await serve(bus.home)
  onTestFinished(() => served.kill('SIGTERM'))
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  onTestFinished(() => context.close())
  const wrong: string[] = []
  context.on('weberror', (error) => wrong.push(String(error.error())))
  context.on('console', (line) => {
    if (line.type() === 'error' && !/Failed to load resource/.test(line.text()))
      wrong.push(line.text())
  })
  context.on('request', (request) => {
    if (!request.url().startsWith(served.address)) wrong.push(request.url())
  })
  const page = await context.newPage()
  await page.goto(served.opening())
  await live(page)
  if (view === 'feed') await page.keyboard.press('f')
  return { bus, served, context, page, wrong }
}

export function live(page: Page) {
  return page.locator('.state.live').waitFor({ timeout: 15_000 })
}

export function say(bus: Bus, body: string, from = 'backend', to = 'frontend'): string {
  return sendMessage(bus, { from, to, kind: 'note', body }).message.id
}

export function row(page: Page, id: string) {
  return page.locator(`[data-id="${id}"]`)
}

/** What axe finds wrong with what is shown, by rule and place. */
export async function faults(page: Page): Promise<string[]> {
  // A script tag is what the page's own policy forbids.
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    type Axe = {
      run: () => Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }>
    }
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`))
  })
}
