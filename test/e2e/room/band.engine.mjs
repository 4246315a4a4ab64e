// @ts-nocheck: the client itself runs this, with types of its own (`claude plugin test`)
import { expect, test } from 'claude-code/testing'

const LINE = { from: 'backend', to: 'frontend', at: '2026-11-22T04:00:00.000Z' }
const ROOM = {
  ...{ home: '/h', pid: 7, name: 'frontend', unread: 1, tells: true },
  latest: [{ ...LINE, id: 'm', title: 'API contract' }],
  questions: [
    { ...LINE, id: 'q', title: 'Drop the column?', number: 3, options: ['drop it', 'keep it'] },
  ],
}
const BAND = {
  ...{ plugin: 'agent-chat-room', surface: 'terminal', component: 'AbovePrompt' },
  props: {
    ...{ hasSurvey: false, isCollapsed: false, isWorking: false, maxRows: 10, bodyColumns: 110 },
    ...{ scroll: { offset: 0, bodyRows: 9 }, view: {} },
  },
}

test('the band shows what the command line tells, and a press runs it', async ($, on) => {
  const ran = []
  on('fs.exists', () => ({ value: true }))
  on('fs.stat', () => ({ value: { kind: 'file', size: 0, mtimeMs: 1, isLink: false } }))
  on('process.run', (_, e) => {
    ran.push(e)
    return { value: { exitCode: 0, stdout: JSON.stringify(ROOM), stderr: '' } }
  })
  on('session.version', () => ({ value: { version: '2.1.329', base: '2.1.329', builtAt: '' } }))
  on('command.register', () => ({ value: { command: 'room' } }))
  on('clock.now', () => ({ value: Date.parse('2026-11-22T04:03:00.000Z') }))
  on('clock.every', () => ({ value: undefined }))
  on('session.start', (_, e) => ({ cwd: e.cwd }))
  await $.session.start({ cwd: '/', surface: 'terminal', isInteractive: true })
  const ui = await $.ui.mount(BAND)
  expect((await ui.find({ type: 'Text', text: /unread/ }))?.text).toMatch(
    /1 unread · @backend: "API contract" · 3 min/,
  )
  await ui.press({ key: 'q-1' })
  const press = ran.map(({ init, stdin }) => init?.stdin ?? stdin).find((text) => text)
  expect(JSON.parse(press)).toEqual({ do: 'reply', id: '3', text: '2' })
  await ui.unmount()
})
