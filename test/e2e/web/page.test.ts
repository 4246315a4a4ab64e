import { readFileSync, writeFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sendMessage } from '../../../src/bus/mail/send.ts'
import { runCli } from '../../../src/testing/cli.ts'
import { eventsOf } from '../../../src/testing/home.ts'
import { leftOut } from '../../../src/testing/leftOut.ts'
import { until } from '../../../src/testing/until.ts'
import { openStream } from '../../../src/worker/stream/stream.ts'
import { serve } from '../../web/served.ts'
import { faults, launch, live, openPage, row, say } from './browser.ts'
import { findChromium } from './chromium.ts'
import { playScene } from './scene.ts'

const found = findChromium()
if ('why' in found) console.log(`the page was not tested in a browser: ${found.why}`)

describe('the page in a real browser', leftOut('why' in found && found.why), () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch('path' in found ? found.path : '')
  })
  afterAll(() => browser?.close())

  const rows = (page: Page) =>
    page.locator('.feed .row').evaluateAll((all) => all.map((one) => one.getAttribute('data-id')))

  test('killed and begun again: no row is lost, none comes twice, and the line tells the truth', async () => {
    const { bus, page, served } = await openPage(browser)
    const first = say(bus, 'before')
    await row(page, first).waitFor()
    await served.kill('SIGKILL')
    await page.locator('.state.lost').waitFor()
    expect(await page.locator('.state').textContent()).toMatch(
      /^reconnecting, last seen \d\d:\d\d$/,
    )
    const meanwhile = [say(bus, 'one'), say(bus, 'two')]
    const again = await serve(bus.home, served.port)
    onTestFinished(() => again.kill('SIGTERM'))
    await live(page)
    const last = say(bus, 'after')
    await row(page, last).waitFor()
    expect(await rows(page)).toEqual([first, ...meanwhile, last].reverse())
  })

  test('whoever reads further down is not moved: new rows wait, and focus stays', async () => {
    const { bus, page } = await openPage(browser, (home) => {
      for (let at = 0; at < 120; at += 1) say(home, `message ${at}`)
    })
    const target = page.locator('.feed .row').nth(60)
    await target.scrollIntoViewIfNeeded()
    await target.locator('button').focus()
    const place = () => target.evaluate((one) => one.getBoundingClientRect().top)
    const id = await target.getAttribute('data-id')
    let before = Number.NaN
    // A row that comes into the window for the first time is drawn a moment later.
    const isStill = async () => {
      const last = before
      before = await place()
      return before === last
    }
    await expect.poll(isStill).toBe(true)
    const fresh = ['a', 'b', 'c'].map((text) => say(bus, text))
    await page.locator('.pill', { hasText: '3 new' }).waitFor()
    // A window scrolls by whole pixels, and a row of text may begin at half of one.
    expect(Math.abs((await place()) - before)).toBeLessThan(1)
    expect(await page.evaluate(() => document.activeElement?.parentElement?.dataset.id)).toBe(id)
    await page.locator('.pill').click()
    expect((await rows(page)).slice(0, 3)).toEqual(fresh.reverse())
    const askForMore = () => document.querySelector<HTMLButtonElement>('.more:enabled')?.click()
    const all = async () => {
      await page.evaluate(askForMore)
      return new Set(await rows(page)).size
    }
    await expect.poll(all).toBe(123)
  })

  test('hostile text is text', async () => {
    const { bus, page, wrong } = await openPage(browser)
    const body = [
      '<script>globalThis.taken = 1</script><img src=x onerror="globalThis.taken = 2">',
      '<a href="javascript:globalThis.taken = 3">click</a> [x](javascript:globalThis.taken=4)',
      'bidi \u202e evil \u2066 ansi \u001b[31m\u001b]0;title\u0007 nothing',
      `${'x'.repeat(120_000)}\n${'y '.repeat(60_000)}`,
    ].join('\n')
    const subject = '<img src=x onerror="globalThis.taken = 5">'
    const { id } = sendMessage(bus, {
      from: 'backend',
      to: 'human',
      kind: 'question',
      body,
      subject,
    }).message
    await row(page, id).locator('button').click()
    await page.locator('.thread .text').waitFor()
    const text = (await page.locator('.thread .text').textContent()) ?? ''
    expect(text).toContain('<script>globalThis.taken = 1</script><img')
    expect(text).toContain('bidi <U+202E> evil <U+2066> ansi ^[[31m^[]0;title^G')
    expect(text.length).toBeGreaterThan(240_000)
    expect(await page.locator('#app img, #app script, #app a[href^=javascript]').count()).toBe(0)
    expect(await page.evaluate(() => Reflect.get(globalThis, 'taken'))).toBeUndefined()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      1280,
    )
    expect(wrong).toEqual([])
  })

  test('by keys alone: a decision is answered, a message read and answered', async () => {
    const { bus, page } = await openPage(browser, playScene, 'inbox')
    await expect.poll(() => page.title()).toBe('(5) agent-chat')
    await page.keyboard.press('2')
    await page.keyboard.press('Enter')
    await page.locator('.said', { hasText: 'Keep it until the next release' }).waitFor()
    await expect.poll(() => page.title()).toBe('(4) agent-chat')
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    await page.locator('#feed').waitFor()
    await page.locator('.feed .message').first().focus()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.locator('.thread li').first().waitFor()
    await page.locator('#reply').focus()
    await page.keyboard.type('Thank you')
    await page.keyboard.press('Control+Enter')
    await until('the answer is sent', () =>
      eventsOf(bus.home, 'sent').some(
        ({ from, preview }) => from === 'human' && preview === 'Thank you',
      ),
    )
    await page.keyboard.press('Escape')
    await page.locator('.pane').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('owner')
    await page.keyboard.press('Enter')
    await page.locator('text=/\\d+ found/').waitFor()
    // Out of the field, a letter is a key again.
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    await page.locator('#feed').waitFor()
    expect(
      eventsOf(bus.home, 'sent').filter(({ from, in_reply_to }) => from === 'human' && in_reply_to),
    ).toHaveLength(2)
  })

  test('a held message is marked until it is read', async () => {
    const { bus, page } = await openPage(browser)
    const { message } = sendMessage(bus, {
      ...{ from: 'backend', to: 'frontend', kind: 'note', body: 'one' },
      silent: { ring: 'held', why: '4 messages on this chain' },
    })
    const held = row(page, message.id).locator('.tag.warn', { hasText: 'held' })
    await held.waitFor()
    await runCli(['inbox', 'frontend'], { home: bus.home.root })
    await held.waitFor({ state: 'detached' })
    expect(await row(page, message.id).count()).toBe(1)
  })

  test('a look at the whole room that comes late takes nothing back', async () => {
    const { bus, page } = await openPage(browser)
    const { message } = sendMessage(bus, {
      ...{ from: 'backend', to: 'frontend', kind: 'note', body: 'one' },
      silent: { ring: 'held', why: '4 messages on this chain' },
    })
    const held = row(page, message.id).locator('.tag.warn', { hasText: 'held' })
    await held.waitFor()
    let asked = 0
    let answer = () => {}
    const late = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/room', async (route) => {
      const response = await route.fetch()
      asked += 1
      // With a place that the server does not know, the page is told to look once more.
      if (asked === 1) return route.fulfill({ json: { ...(await response.json()), place: '0-0' } })
      await late
      return route.fulfill({ response })
    })
    await page.reload()
    await page.keyboard.press('f')
    await held.waitFor()
    await until('it looks once more', () => asked === 2)
    await runCli(['inbox', 'frontend'], { home: bus.home.root })
    await held.waitFor({ state: 'detached' })
    const answered = page.waitForResponse('**/api/room')
    answer()
    await (await answered).finished()
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    expect(await row(page, message.id).count()).toBe(1)
    expect(await held.count()).toBe(0)
  })

  test('the search field begins below its title', async () => {
    const { page } = await openPage(browser)
    await page.keyboard.press('/')
    const begins = (selector: string) =>
      page.locator(selector).evaluate((one) => {
        const { paddingLeft } = getComputedStyle(one)
        const inset = one.tagName === 'H2' ? Number.parseFloat(paddingLeft) : 0
        return one.getBoundingClientRect().left + inset
      })
    expect(await begins('input[type=search]')).toBe(await begins('#search'))
  })

  test('axe finds nothing, and nothing is wider than the window', async () => {
    const { page, wrong } = await openPage(browser, playScene)
    await page.locator('.feed .message').first().click()
    await page.locator('.thread li').first().waitFor()
    const wide: string[] = []
    const bad: string[] = []
    const look = async (what: string, withAxe: boolean) => {
      if (withAxe) bad.push(...(await faults(page)).map((fault) => `${what} ${fault}`))
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (over > 0) wide.push(`${what}: ${over} px`)
    }
    for (const view of ['Inbox', 'Feed', 'Tasks', 'Search']) {
      await page.locator('nav button', { hasText: view }).click()
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await look(`${view} ${colorScheme}`, true)
      }
      // 640 is 1280 at 200 %.
      for (const width of [640, 1280, 768, 320]) {
        await page.setViewportSize({ width, height: 800 })
        await look(`${view} ${width}`, width === 320 && view !== 'Tasks')
      }
      await page.setViewportSize({ width: 1280, height: 860 })
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('?')
    await look('help', true)
    expect(bad).toEqual([])
    expect(wide).toEqual([])
    expect(wrong).toEqual([])
  })

  test('a clock that jumps, and a page open over night, are live again by themselves', async () => {
    const { bus, page } = await openPage(browser)
    await page.evaluate(() => {
      const { now } = Date
      Date.now = () => now() + 8 * 3_600_000
    })
    await live(page)
    const id = say(bus, 'good morning')
    await row(page, id).waitFor()
    expect(await rows(page)).toEqual([id])
  })

  test('a worker’s words are seen as they come; who has no cookie is told what to do', async () => {
    const { bus, page, served } = await openPage(browser, playScene)
    const task = say(bus, 'What is left?', 'human', 'coder')
    const state = JSON.parse(readFileSync(bus.home.worker('coder'), 'utf8'))
    writeFileSync(
      bus.home.worker('coder'),
      JSON.stringify({ ...state, activity: 'busy', message: task }),
    )
    const stream = openStream(bus, 'coder', task)
    stream.write({ event: 'token', text: 'Two of ' })
    await page.locator('.person', { hasText: 'coder' }).click()
    await page.locator('button', { hasText: 'what it says now' }).click()
    await page.locator('.streamed .text', { hasText: 'Two of' }).waitFor()
    stream.write({ event: 'token', text: 'them are left' })
    await page.locator('.streamed .text', { hasText: 'Two of them are left' }).waitFor()
    const stranger = await browser.newPage()
    onTestFinished(() => stranger.close())
    await stranger.goto(served.address)
    await stranger.locator('main', { hasText: 'run: agent-chat web' }).waitFor()
  })
})
