import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../../../src/testing/cli.ts'
import { leftOut } from '../../../src/testing/leftOut.ts'
import { launch, live, openPage, row, say } from './browser.ts'
import { findChromium } from './chromium.ts'

const found = findChromium()

describe('the page in a real browser', leftOut('why' in found && found.why), () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch('path' in found ? found.path : '')
  })
  afterAll(() => browser?.close())

  test('a row comes with the send, in every tab, by one connection', async () => {
    const { bus, page, context, served, wrong } = await openPage(browser)
    const streams: string[] = []
    context.on('request', (request) => {
      if (/\/events/.test(request.url())) streams.push(request.url())
    })
    const tabs = [page]
    for (let at = 0; at < 7; at += 1) tabs.push(await context.newPage())
    await Promise.all(tabs.slice(1).map((tab) => tab.goto(served.address)))
    await Promise.all(tabs.map(live))
    await Promise.all(tabs.slice(1).map((tab) => tab.keyboard.press('f')))
    const seen = tabs.map((tab) =>
      tab.evaluate(
        () =>
          new Promise<void>((resolve) => {
            new MutationObserver((_, watcher) => {
              if (!document.querySelector('.feed .row')) return
              watcher.disconnect()
              resolve()
            }).observe(document.body, { childList: true, subtree: true })
          }),
      ),
    )
    await runCli(['send', '@backend', 'hello', '--from', 'human'], { home: bus.home.root })
    await Promise.all(seen)
    expect(streams).toEqual([])
    // The tab that listens for all is closed: another one goes on.
    await tabs.shift()?.close()
    const next = say(bus, 'and another')
    await Promise.all(tabs.map((tab) => row(tab, next).waitFor()))
    expect(streams).toHaveLength(1)
    expect(wrong).toEqual([])
  })
})
