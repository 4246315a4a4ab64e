import { writeFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bus } from '../../../src/bus/bus.ts'
import { unreadIds } from '../../../src/bus/mail/unread.ts'
import { awayNow } from '../../../src/feed/away.ts'
import { eventsOf } from '../../../src/testing/home.ts'
import { leftOut } from '../../../src/testing/leftOut.ts'
import { until } from '../../../src/testing/until.ts'
import { faults, launch, openPage, say } from './browser.ts'
import { findChromium } from './chromium.ts'
import { playBusyDay, playScene } from './scene.ts'

const found = findChromium()

describe('the inbox in a real browser', leftOut('why' in found && found.why), () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch('path' in found ? found.path : '')
  })
  afterAll(() => browser?.close())

  const inbox = (play: (bus: Bus) => void) => openPage(browser, play, 'inbox')
  const rows = (page: Page) => page.locator('.inbox .row')
  const selected = (page: Page) =>
    page.evaluate(() => document.activeElement?.closest<HTMLElement>('.row')?.dataset.key)
  const isSelected = (page: Page, text: string) =>
    page.locator('.inbox .row:focus-within', { hasText: text }).waitFor()
  const answers = (bus: Bus) =>
    eventsOf(bus.home, 'sent').filter(({ from, in_reply_to }) => from === 'human' && in_reply_to)
  const said = (page: Page, text: string) => page.locator('.keyline', { hasText: text }).waitFor()

  describe.each([
    [1280, 800],
    [390, 844],
  ])('at %d × %d, with 5 sessions, 250 messages and 20 that need you', (width, height) => {
    const busy = async () => {
      const opened = await inbox(playBusyDay)
      await opened.page.setViewportSize({ width, height })
      await rows(opened.page).nth(34).waitFor({ state: 'attached' })
      return opened
    }

    test('who is here, what each does and who needs you are on the first screen', async () => {
      const { page, wrong } = await busy()
      const seen = (selector: string) =>
        page.locator(selector).evaluateAll((all) =>
          all.map((one) => {
            const { top, bottom } = one.getBoundingClientRect()
            return top >= 0 && bottom <= innerHeight && bottom - top < 40
          }),
        )
      expect(await seen('#now, #inbox')).toEqual([true, true])
      expect(await seen('.person')).toEqual([true, true, true, true, true])
      expect(
        await rows(page)
          .first()
          .evaluate((one) => one.getBoundingClientRect().bottom),
      ).toBeLessThan(height)
      expect(await page.locator('.person').first().textContent()).toMatch(
        /^@backendedits: \/srv\/src\/tasks\.ts\d+ min$/,
      )
      expect(await page.title()).toBe('(20) agent-chat')
      expect(await faults(page)).toEqual([])
      const over = () => {
        const { scrollWidth, clientWidth } = document.documentElement
        return scrollWidth - clientWidth
      }
      expect(await page.evaluate(over)).toBe(0)
      expect(wrong).toEqual([])
    })

    test('by j and k every row is reached, and no other thing lies on it; sessions stay', async () => {
      const { page } = await busy()
      const isSeen = () =>
        page.evaluate(() => {
          const row = document.activeElement?.closest('.row')
          const { left, top, width, height } = row?.getBoundingClientRect() ?? new DOMRect()
          const hit = document.elementFromPoint(left + width / 2, top + height / 2)
          return row?.contains(hit) ?? false
        })
      const order = await rows(page).evaluateAll((all) => all.map((one) => one.dataset.key))
      expect(order).toHaveLength(35)
      for (const [at, key] of order.entries()) {
        if (at > 0) await page.keyboard.press(at % 2 === 0 ? 'j' : 'ArrowDown')
        expect([await selected(page), await isSeen()]).toEqual([key, true])
      }
      for (const key of order.toReversed().slice(1)) {
        await page.keyboard.press('k')
        expect([await selected(page), await isSeen()]).toEqual([key, true])
      }
      await rows(page).last().scrollIntoViewIfNeeded()
      const { y = -1 } = (await page.locator('.person').last().boundingBox()) ?? {}
      expect(y > 0 && y < height).toBe(true)
    })
  })

  test('a digit shows the answer with its question; Enter gives it, Escape does not', async () => {
    const { bus, page } = await inbox(playScene)
    await isSelected(page, 'Drop the column')
    await page.keyboard.press('3')
    await page.locator('.pane .option:focus', { hasText: 'Ask again in a week' }).waitFor()
    expect(await page.locator('.pane .text').textContent()).toContain('Recommended: keep it')
    await said(page, '@backend: 3. Ask again in a week · Enter answers, Esc cancels')
    await page.keyboard.press('Escape')
    await page.locator('.pane').waitFor({ state: 'detached' })
    await isSelected(page, 'Drop the column')
    expect(answers(bus)).toEqual([])
    await page.keyboard.press('9')
    await said(page, 'There is no option 9')
    await page.keyboard.press('2')
    await page.locator('.pane .option:focus', { hasText: 'Keep it until' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.row', { hasText: 'Answered: Keep it until' }).waitFor()
    await until(
      'it is sent',
      () => answers(bus)[0]?.preview === '2. Keep it until the next release',
    )
    // Where it was, until one goes on.
    await page.locator('.pane').waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await page.locator('.row', { hasText: 'Drop the column' }).waitFor({ state: 'detached' })
    await isSelected(page, 'May I use Bash')
  })

  test('what comes or goes meanwhile makes no key answer another row than the one seen', async () => {
    const { bus, page } = await inbox(playBusyDay)
    await isSelected(page, 'column 0')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await isSelected(page, 'column 2')
    const answerElsewhere = async (text: string) => {
      const id = await page.locator('.inbox .row', { hasText: text }).getAttribute('data-key')
      const body = JSON.stringify({ id, text: '1' })
      const headers = { 'Content-Type': 'application/json' }
      const status = page.evaluate(async (init) => (await fetch('/api/reply', init)).status, {
        method: 'POST',
        headers,
        body,
      })
      expect(await status).toBe(200)
    }
    await answerElsewhere('column 0')
    await page.locator('.row', { hasText: 'column 0' }).waitFor({ state: 'detached' })
    await isSelected(page, 'column 2')
    await page.keyboard.press('1')
    await page.locator('.pane h3', { hasText: 'column 2' }).waitFor()
    // Answered elsewhere while it is open: nothing is there to be given.
    await answerElsewhere('column 2')
    await page.locator('.pane', { hasText: 'needs you no longer' }).waitFor()
    const before = answers(bus).length
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.locator('.pane').waitFor({ state: 'detached' })
    await page.keyboard.press('1')
    await said(page, 'No row is selected')
    expect(await page.locator('.pane').count()).toBe(0)
    expect(answers(bus)).toHaveLength(before)
    await page.keyboard.press('j')
    await isSelected(page, 'column 3')
  })

  test('e marks a thread read and goes on; what needs you it leaves', async () => {
    const { bus, page } = await inbox(playBusyDay)
    await isSelected(page, 'column 0')
    await page.keyboard.press('e')
    await said(page, 'This still needs you')
    expect(await rows(page).count()).toBe(35)
    await page.locator('.row', { hasText: 'report 14' }).locator('button').focus()
    await page.keyboard.press('e')
    await page.locator('.row', { hasText: 'report 14' }).waitFor({ state: 'detached' })
    await isSelected(page, 'report 13')
    expect(unreadIds(bus.home, 'human')).toHaveLength(48)
    expect(await rows(page).count()).toBe(34)
  })

  test('a thread is a row, and opens as a conversation: it stays until one goes on', async () => {
    const { bus, page } = await inbox(playBusyDay)
    const row = page.locator('.row', { hasText: 'More of report 14' })
    expect(await row.textContent()).toContain('2 messages')
    await row.locator('button').focus()
    await page.keyboard.press('o')
    await page.locator('.thread li').nth(1).waitFor()
    await until('both are read', () => unreadIds(bus.home, 'human').length === 48)
    await page.locator('.row.faint', { hasText: 'More of report 14' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.pane').waitFor({ state: 'detached' })
    await isSelected(page, 'More of report 14')
    await page.keyboard.press('j')
    await row.waitFor({ state: 'detached' })
    await isSelected(page, 'More of report 13')
    const next = say(bus, 'And one more', 'docs', 'human')
    await page.locator(`[data-key="thread ${next}"]`).waitFor()
    await isSelected(page, 'More of report 13')
  })

  test('/ shows the rows with some words, and hides none that needs you', async () => {
    const { page } = await inbox(playBusyDay)
    await isSelected(page, 'column 0')
    await page.keyboard.press('/')
    await page.keyboard.type('report 7')
    await expect.poll(() => rows(page).count()).toBe(21)
    expect(await rows(page).first().textContent()).toContain('More of report 7')
    await page.keyboard.press('Enter')
    await isSelected(page, 'More of report 7')
    await page.keyboard.press('Escape')
    await expect.poll(() => rows(page).count()).toBe(35)
  })

  test('i begins to write; a name shows all that is known of it, and writes to it', async () => {
    const { page } = await inbox(playScene)
    const spent = async (name: string) => {
      await page.locator('.person', { hasText: name }).click()
      await page.locator('.facts').waitFor()
      await expect.poll(() => page.locator('#to').inputValue()).toBe(name)
      return page.locator('.facts').textContent()
    }
    await page.keyboard.press('i')
    await page.locator('#to:focus').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => spent('backend')).toContain('66.3k tokens today')
    expect(await spent('backend')).not.toContain('$')
    expect(await spent('coder')).toContain('51.3k tokens · $0.42 today')
    expect(await spent('docs')).not.toContain('tokens')
  })

  describe('what happened while you were away', () => {
    const away = () =>
      inbox((bus) => {
        playScene(bus)
        const pressed = new Date(Date.now() - 70 * 60_000).toISOString()
        writeFileSync(bus.home.presence, JSON.stringify({ pressed }))
      })

    test('is a block on top whose rows open; it goes when somebody says that it was seen', async () => {
      const { bus, page, context, served } = await away()
      const block = page.locator('.away')
      await block.waitFor()
      expect(await block.locator('li').allTextContents()).toEqual([
        '1 task done by @frontend',
        '@backend ↔ @frontend 3 messages',
        '@backend ↔ @reviewer 2 messages',
        '@docs ↔ @reviewer 1 message',
        '1 message held for @reviewer',
      ])
      await block.locator('button', { hasText: '@frontend 3 messages' }).click()
      await page.locator('.thread', { hasText: 'GET /tasks returns' }).waitFor()
      await page.keyboard.press('Escape')
      await block.locator('button', { hasText: 'held' }).click()
      await page.locator('.pane button', { hasText: 'Release it' }).waitFor()
      await page.keyboard.press('Escape')
      expect(await block.count()).toBe(1)
      expect(await faults(page)).toEqual([])
      await block.locator('button', { hasText: 'held' }).focus()
      await page.keyboard.press('e')
      await block.waitFor({ state: 'detached' })
      expect(awayNow(bus)).toBeUndefined()
      const other = await context.newPage()
      await other.goto(served.address)
      await other.locator('.inbox .row').first().waitFor()
      expect(await other.locator('.away').count()).toBe(0)
    })

    test('was seen by whoever goes elsewhere after a key', async () => {
      const { bus, page } = await away()
      await page.locator('.away').waitFor()
      await page.keyboard.press('j')
      expect(await page.locator('.away').count()).toBe(1)
      await page.keyboard.press('f')
      await until('it is noted', () => awayNow(bus) === undefined)
    })
  })

  test('there is no Flow', async () => {
    const { page } = await inbox(() => {})
    expect(await page.locator('nav button').allTextContents()).toEqual([
      ...['Inbox', 'Feed', 'Tasks', 'Search'],
    ])
    await page.locator('.inbox', { hasText: 'Nothing needs you.' }).waitFor()
  })
})
