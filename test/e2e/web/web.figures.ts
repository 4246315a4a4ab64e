import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Bus } from '../../../src/bus/bus.ts'
import { record, sentFields } from '../../../src/bus/history.ts'
import { DIST, ROOT, runCli } from '../../../src/testing/cli.ts'
import { tempBus } from '../../../src/testing/home.ts'
import { someMessage } from '../../../src/testing/message.ts'
import { until } from '../../../src/testing/until.ts'
import { BEAT_MS } from '../../../src/web/pulse.ts'
import { liveTab, openedCookie } from '../../web/request.ts'
import { serve } from '../../web/served.ts'
import { launch, live, openPage } from './browser.ts'
import { findChromium } from './chromium.ts'
import { playScene } from './scene.ts'

const found = findChromium()
if ('why' in found) throw new Error(found.why)
const { path } = found

/** What was measured, with its limit: a row of the page each. */
const figures: [what: string, limit: string, measured: string][] = []
let browser: Browser
beforeAll(async () => {
  browser = await launch(path)
})
afterAll(() => browser?.close())

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
const ms = (value: number) => `${Math.round(value)} ms`

/** Messages of the history alone: what the feed is made of. */
function told(bus: Bus, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const micros = String(100_000 + (at % 900_000)).padStart(6, '0')
    const id = `20261121T${String(10 + Math.floor(at / 3600)).padStart(2, '0')}${String(Math.floor(at / 60) % 60).padStart(2, '0')}${String(at % 60).padStart(2, '0')}.${micros}Z-from-backend`
    record(bus, 'sent', sentFields(someMessage({ id, body: `message ${at} of the afternoon` })))
    return id
  })
}

const status = (pid: number, field: string) =>
  Number(
    new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
  )
/** What all threads of a process have run, in milliseconds. */
const ran = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).reduce(
    (sum, task) =>
      sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    0,
  )

test('the start', async () => {
  const { home } = tempBus(['backend'])
  const took: number[] = []
  for (let at = 0; at < 9; at += 1) {
    const served = await serve(home)
    took.push(served.took)
    await served.kill('SIGTERM')
  }
  const bare = took.map(() => {
    const began = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - began
  })
  figures.push([
    'from the command to an open port, median of 9',
    '120 ms',
    `${ms(median(took))}; Node alone in the same minute: ${ms(median(bare))}`,
  ])
})

test('memory and an idle minute, with 10,000 messages and three tabs', async () => {
  const opened = await openPage(browser, (bus) => void told(bus, 10_000))
  const { context, served } = opened
  const pid = served.child.pid ?? 0
  for (let at = 0; at < 2; at += 1) {
    const tab = await context.newPage()
    await tab.goto(served.address)
    await live(tab)
  }
  // As often as the page gets a sign of life.
  const timer = `setInterval(() => {}, ${BEAT_MS})`
  const bare = spawn(process.execPath, ['-e', timer], { stdio: 'ignore' })
  onTestFinished(() => void bare.kill())
  // By now all that begins has begun, and its garbage is gone.
  await opened.page.waitForTimeout(45_000)
  const all = () => [pid, bare.pid ?? 0].map(ran)
  const before = all()
  await opened.page.waitForTimeout(60_000)
  const [spent = 0, least = 0] = all().map((one, at) => one - (before[at] ?? 0))
  figures.push([
    'processor over an idle minute, three tabs',
    '0',
    `${spent.toFixed(1)} ms, ${(spent / 600).toFixed(3)} %; Node with a timer of ${BEAT_MS / 1000} s and nothing else: ${least.toFixed(1)} ms`,
  ])
  figures.push([
    'memory (RSS), 10,000 messages, three tabs',
    '60 MB',
    `${Math.round(status(pid, 'VmRSS') / 1024)} MB`,
  ])
})

test('ten tabs get 1,000 messages', async () => {
  const bus = tempBus(['backend', 'frontend'])
  const served = await serve(bus.home)
  onTestFinished(() => served.kill('SIGTERM'))
  const cookie = await openedCookie(served)
  const tabs = await Promise.all(Array.from({ length: 10 }, () => liveTab(served, cookie)))
  const began = performance.now()
  const ids = told(bus, 1000)
  const wrote = performance.now() - began
  await until('all have all', () => tabs.every((tab) => tab.ids().length >= 1000))
  figures.push([
    'ten tabs × 1,000 messages, from the first to the last at the last tab',
    '1 s',
    `${ms(performance.now() - began)}, ${ms(wrote)} of it to write them`,
  ])
  for (const tab of tabs) expect(tab.ids()).toEqual(ids)
})

test('the first look at 10,000 messages', async () => {
  const { context, served } = await openPage(browser, (bus) => void told(bus, 10_000))
  const paints: number[] = []
  const rows: number[] = []
  for (let at = 0; at < 7; at += 1) {
    const tab = await context.newPage()
    await tab.goto(served.address)
    await tab.keyboard.press('f')
    rows.push(
      await tab.evaluate(async () => {
        while (!document.querySelector('.feed .row')) await new Promise(requestAnimationFrame)
        return performance.now()
      }),
    )
    paints.push(
      await tab.evaluate(async () => {
        // The rows may be there before they are painted.
        const painted = () => performance.getEntriesByName('first-contentful-paint')[0]
        while (!painted()) await new Promise(requestAnimationFrame)
        return painted()?.startTime ?? 0
      }),
    )
    await tab.close()
  }
  figures.push(['first paint with 10,000 messages, median of 7', '200 ms', ms(median(paints))])
  figures.push(['rows there with 10,000 messages, at most', '', ms(median(rows))])
})

test('a row after a send', async () => {
  const { bus, page } = await openPage(browser)
  const delays: number[] = []
  for (let at = 0; at < 20; at += 1) {
    const seen = page.evaluate(
      (count) =>
        new Promise<number>((resolve) => {
          new MutationObserver((_, watcher) => {
            if (document.querySelectorAll('.feed .row').length < count) return
            watcher.disconnect()
            resolve(Date.now())
          }).observe(document.body, { childList: true, subtree: true })
        }),
      at + 1,
    )
    const ran = await runCli(['send', '@backend', `hello ${at}`, '--from', 'human', '--json'], {
      home: bus.home.root,
    })
    const { timestamp } = JSON.parse(ran.stdout) as { timestamp: string }
    delays.push((await seen) - Date.parse(timestamp))
  }
  figures.push([
    'a row after its message was sent, median and most of 20',
    '300 ms',
    `${ms(median(delays))}, ${ms(Math.max(...delays))}`,
  ])
})

test('pictures', async () => {
  const { page, bus } = await openPage(browser, playScene, 'inbox')
  const shoot = (name: string) =>
    page.screenshot({
      path: join(ROOT, 'docs', 'pictures', `web-${name}.jpg`),
      type: 'jpeg',
      quality: 80,
    })
  await page.locator('.home').evaluate((one) => {
    one.textContent = '/home/you/agent-chat'
  })
  await page.setViewportSize({ width: 1280, height: 780 })
  await shoot('room')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('nav button', { hasText: 'Feed' }).click()
  await page.locator('.row', { hasText: 'The contract of GET /tasks' }).locator('button').click()
  await page.locator('.thread li').nth(2).waitFor()
  await shoot('conversation')
  await page.keyboard.press('Escape')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('nav button', { hasText: 'Inbox' }).click()
  await page.setViewportSize({ width: 320, height: 640 })
  await page.evaluate(() => scrollTo(0, 0))
  await shoot('narrow')
  expect(bus.home.root).toBeTruthy()
})

afterAll(() => {
  const size = (file: string) => gzipSync(readFileSync(join(DIST, file))).length / 1000
  figures.push([
    'the page, script and style, gzipped',
    '30 kB',
    `${(size('page.js') + size('page.css')).toFixed(1)} kB`,
  ])
  const text = [
    '# What the page costs',
    '',
    'Written by `npm run web`, which measures it in a real Chromium and draws the pictures of',
    '[web.md](../web.md). Each figure has the limit that it is held to.',
    '',
    `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), Linux ${release()}, Chromium ${browser.version()}.`,
    '',
    '| what | limit | measured |',
    '|---|---|---|',
    ...figures.map((row) => `| ${row.join(' | ')} |`),
    '',
  ]
  writeFileSync(join(ROOT, 'docs', 'evidence', 'web.md'), text.join('\n'))
})
