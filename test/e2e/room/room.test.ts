import { execFile } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { tempDirectory } from '../../../src/testing/home.ts'
import { ensureClaude } from '../harness/install.ts'
import { eventually } from '../harness/poll.ts'
import { carriers } from '../harness/processes.ts'
import { hears } from '../harness/request.ts'
import { ROOT, stageFor, withMods } from './stage.ts'

const RING = 'New message from @backend. Check inbox.'
const HOSTILE = join(import.meta.dirname, 'hostile')

withMods(
  'the band shows what is unread and what is asked; keys in the prompt press nothing, a button answers',
  async () => {
    // The ring is heard and the inbox is left alone, until the test reads it.
    const { world, pane, chat } = await stageFor({ rule: () => ({ text: 'ok' }) })
    await pane.type('half a draft')
    await chat(['send', '@frontend', '-s', 'API contract', 'see the file'], 'backend')
    const sent = Date.now()
    await pane.waitFor(/✉ 1 unread · @backend: "API contract" · now/)
    const shown = Date.now() - sent
    await chat(
      ['escalate', 'Drop the column?', '--option', 'drop it', '--option', 'keep it'],
      'backend',
    )
    const screen = await pane.waitFor(
      /\? @backend asks: Drop the column\? +\[ drop it \]\[ keep it \]/,
    )
    expect(screen).toMatch(/❯\shalf a draft/)
    await pane.waitFor(/✉ @backend: "API contract"/)

    // A digit, and the first letter of an option, are text in an empty prompt as in a draft.
    await pane.key('C-u')
    for (const key of ['1', 'd']) await pane.type(key)
    await pane.waitFor(/❯\s1d/)
    await pane.key('C-u')
    await pane.waitFor((text) => !/❯\s1d/.test(text))
    const answers = () => readdirSync(join(world.chat, 'inbox', 'backend')).filter(isMessage)
    expect(answers()).toEqual([])

    await pane.key('C-x', 'Tab')
    await pane.key('Tab')
    const pressing = Date.now()
    await pane.key('Enter')
    const [answer = ''] = await eventually('the answer', async () => nonEmpty(answers()), {
      timeoutMs: 5000,
    })
    const answered = Date.now() - pressing
    const text = readFileSync(join(world.chat, 'inbox', 'backend', answer), 'utf8')
    expect(text).toMatch(/^from: human$/m)
    expect(text).toContain('keep it')
    expect(existsSync(join(world.chat, 'words', answer.replace(/md$/, 'json')))).toBe(true)
    await pane.waitFor((now) => !now.includes('asks: Drop the column?'))

    await chat(['inbox'], 'frontend')
    const read = Date.now()
    await pane.waitFor((now) => !now.includes('1 unread'))

    // One that is too long for the band is whole in the pane, which scrolls.
    const lines = Array.from({ length: 60 }, (_, n) => `line ${n} of what there is to know`)
    const context = ['--context', lines.join('\n'), '--option', 'do it']
    await chat(['escalate', 'Move it?', ...context], 'backend')
    expect(await pane.waitFor(/asks: Move it\? +\/room/)).not.toContain('[ do it ]')
    await pane.submit('/room')
    expect(await pane.waitFor(/line 0 of/)).not.toContain('line 59 of')
    await pane.key('Tab')
    for (const end of [/line 59 of/, /\[ do it \]/]) await pane.waitFor(end)
    // How long it takes on a machine at rest is measured by `npm run e2e:room`.
    console.log(`band ${shown} ms, gone ${Date.now() - read} ms, answer ${answered} ms`)
  },
)

withMods('Escape ends the wait of a message that was held for the end of the turn', async () => {
  // The tmux doorbell would ring some seconds later by itself.
  const { world, pane, chat } = await stageFor({
    env: { AGENT_CHAT_DOORBELL: 'native' },
    rule: (request) => ({
      blocks: [{ text: 'ok' }],
      holdMs: hears(request, 'SLOW') ? 60_000 : 0,
    }),
  })
  await pane.submit('SLOW please')
  await world.api.waitFor('the turn', (request) => hears(request, 'SLOW'))
  await chat(['send', '@frontend', 'wait for the end'], 'backend')
  // The bell of the send has been heard by then, and has left the message for the end.
  const bells = () => hooksOf(world.chat, 'bell')
  await eventually('the bell', async () => (await bells()) > 0 || undefined)
  await eventually('its end', async () => (await bells()) === 0 || undefined)
  const from = world.api.requests.length
  const pressed = Date.now()
  await pane.key('Escape')
  const heard = await world.api.waitFor('the ring', (request) => hears(request, RING), { from })
  console.log(`ring ${heard.at - pressed} ms after Escape`)
  const events = readFileSync(join(world.chat, 'history.log'), 'utf8')
  expect(events).toMatch(/"event":"rung".*"doorbell":"native"/)
})

withMods('a prompt of another mod closes the turn at once, as the user or not', async () => {
  const { world } = await stageFor({ args: ['--plugin-dir', HOSTILE] })
  for (const asUser of [false, true]) {
    order(world.chat, { says: `please do as I say ${asUser}`, asUser })
    const said = await world.api.waitFor('the words', (request) =>
      hears(request, `please do as I say ${asUser}`),
    )
    // Before the model was even asked: without the room, only a tool call tells it.
    expect(said.kind).toBe('main')
    const { turn } = JSON.parse(readFileSync(join(world.chat, 'state', 'frontend.json'), 'utf8'))
    expect(turn).toMatchObject({ began: 'other', opened: null, chain: null })
  }
})

withMods('the client finds nothing to warn of in the room', async () => {
  const claude = await ensureClaude()
  const { stdout } = await promisify(execFile)(
    claude,
    ['plugin', 'validate', join(ROOT, 'room'), '--strict', '--json'],
    { env: { PATH: process.env.PATH, HOME: tempDirectory(), TERM: 'dumb' } },
  )
  const { success, manifest, contents } = JSON.parse(stdout)
  expect({ success, manifest, contents }).toMatchObject({ success: true })
  expect(stdout).not.toMatch(/without \.catch/)
})

withMods("the room passes its test on the client's own host of mods", async () => {
  const claude = await ensureClaude()
  // In a folder of its own: the client runs every test that it finds below.
  const folder = tempDirectory()
  cpSync(join(ROOT, 'room'), folder, { recursive: true })
  cpSync(join(import.meta.dirname, 'band.engine.mjs'), join(folder, 'band.test.ts'))
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'dumb' }
  const { stdout, stderr } = await promisify(execFile)(claude, ['plugin', 'test', folder], { env })
  expect(stdout + stderr).toMatch(/1 pass\n 0 fail/)
})

function isMessage(name: string): boolean {
  return name.endsWith('.md')
}

function nonEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined
}

/** Tells the hostile mod what to do. */
function order(chat: string, what: Record<string, unknown>): void {
  writeFileSync(join(chat, 'hostile.json'), JSON.stringify(what))
}

/** How many hooks of this word run in a world. */
async function hooksOf(chat: string, word: string): Promise<number> {
  const pids = await carriers('AGENT_CHAT_HOME', chat)
  const lines = pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    } catch {
      return []
    }
  })
  return lines.filter(
    (line) => line.some((one) => /\/hook\.c?js$/.test(one)) && line.includes(word),
  ).length
}
