import { renameSync, writeFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { leftOut } from '../../../src/testing/leftOut.ts'
import { launch, live, openPage, row, say } from './browser.ts'
import { findChromium } from './chromium.ts'
import { playScene } from './scene.ts'

const found = findChromium()
if ('why' in found) console.log(`the page was not tested in a browser: ${found.why}`)

describe('the page on a bad day', leftOut('why' in found && found.why), () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch('path' in found ? found.path : '')
  })
  afterAll(() => browser?.close())

  test('the home is removed: a line says so, nothing is sent, what was typed stays; it is back: on it goes', async () => {
    const { bus, page } = await openPage(browser)
    const first = say(bus, 'before')
    await row(page, first).waitFor()
    renameSync(bus.home.root, `${bus.home.root}.aside`)
    await page.locator('.banner.bad', { hasText: 'is gone' }).waitFor({ timeout: 15_000 })
    await page.keyboard.press('n')
    await page.locator('#to').fill('backend')
    await page.locator('#text').fill('Are you there?')
    await page.locator('.write button[type=submit]').click()
    await page.locator('.write [role=alert]', { hasText: 'put it back' }).waitFor()
    renameSync(`${bus.home.root}.aside`, bus.home.root)
    await page.locator('.banner.bad').waitFor({ state: 'detached', timeout: 15_000 })
    expect(await page.locator('#text').inputValue()).toBe('Are you there?')
    await page.locator('.write button[type=submit]').click()
    await page.locator('.thread .text', { hasText: 'Are you there?' }).waitFor()
    await live(page)
    // The conversation and the row come by two ways: either may be first.
    await page.locator('.feed .row').nth(1).waitFor()
    expect(await page.locator('.feed .row').count()).toBe(2)
  })

  test('a server that hangs gives no sign of life, though its socket is open: the line says so until it goes on', async () => {
    const { bus, page, served } = await openPage(browser)
    served.child.kill('SIGSTOP')
    await page.evaluate(() => {
      const { now } = Date
      Date.now = () => now() + 60_000
    })
    await page.locator('.state.lost', { hasText: 'reconnecting, last seen' }).waitFor()
    served.child.kill('SIGCONT')
    await live(page)
    await row(page, say(bus, 'after')).waitFor()
  })

  test('a file goes along by its path; a row says that it is not read', async () => {
    const { bus, page } = await openPage(browser)
    const path = `${bus.home.root}/notes.txt`
    writeFileSync(path, 'x')
    // Letters typed at once are text: the first one names the addressee.
    await page.keyboard.press('n')
    await page.keyboard.type('frontend')
    expect(await page.locator('#to').inputValue()).toBe('frontend')
    await page.locator('#text').fill('See the file')
    await page.locator('#files').fill(path)
    await page.locator('.write button[type=submit]').click()
    await page.locator('.files code', { hasText: path }).waitFor()
    await page.locator('.feed .row', { hasText: 'not read' }).waitFor()
  })

  test('keys that come right after one another do what they say', async () => {
    const { page } = await openPage(browser, playScene)
    // In one task, as fast as no hand is: each key meets what the one before has opened.
    const press = (...keys: string[]) =>
      page.evaluate(async (all) => {
        for (const key of all) {
          const options = { key, bubbles: true, cancelable: true }
          document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', options))
          await Promise.resolve()
          await Promise.resolve()
        }
      }, keys)
    await press('n')
    await page.locator('#to').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.pane').waitFor({ state: 'detached' })
    await press('?', 'Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await press('t', 'f', 'g')
    await page.locator('.inbox .row:focus-within').waitFor()
    // A decision was answered a moment ago: a number is for the row that is selected next.
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await page.locator('.need.done').waitFor()
    await press('3', 'j', '3')
    await page.locator('.pane .option:focus').waitFor()
    const next = await page.evaluate(() => document.activeElement?.textContent)
    expect(next).toBe('3No')
  })

  test('a click on another name while one writes changes the addressee, and the text stays', async () => {
    const { page } = await openPage(browser)
    await page.locator('.person', { hasText: 'backend' }).click()
    await page.keyboard.type('For whom?')
    await page.locator('.person', { hasText: 'docs' }).click()
    expect(await page.locator('#to').inputValue()).toBe('docs')
    expect(await page.locator('#text').inputValue()).toBe('For whom?')
  })

  test('at 200 % nothing is wider than the window, and all that can be clicked can be reached', async () => {
    const { served, page: first } = await openPage(browser, playScene)
    // What the browser's own zoom does: half the pixels of a page, each twice as large.
    const zoomed = await browser.newContext({
      viewport: { width: 640, height: 430 },
      deviceScaleFactor: 2,
      storageState: await first.context().storageState(),
    })
    onTestFinished(() => zoomed.close())
    const page = await zoomed.newPage()
    await page.goto(served.address)
    await live(page)
    const over = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
    const wide: string[] = []
    const look = async (what: string) => {
      if ((await over()) > 0) wide.push(`${what}: ${await over()} px`)
    }
    for (const view of ['Feed', 'Tasks', 'Search']) {
      await page.locator('nav button', { hasText: view }).click()
      await look(view)
    }
    // Twice the size of the text alone, too.
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    for (const view of ['Tasks', 'Search', 'Feed']) {
      await page.locator('nav button', { hasText: view }).click()
      await look(`${view}, text twice as large`)
    }
    await page.locator('.feed .message').first().click()
    await page.locator('#reply').click()
    await look('conversation')
    expect(wide).toEqual([])
  })
})
