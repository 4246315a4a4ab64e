import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempBus, tempDirectory } from '../testing/home.ts'
import { checkSandbox } from './sandbox.ts'

function world() {
  const bus = tempBus()
  const [HOME, cwd] = [tempDirectory(), tempDirectory()]
  writeFileSync(bus.home.sessions, JSON.stringify({ backend: { name: 'backend', cwd } }))
  const files = {
    user: join(HOME, '.claude/settings.json'),
    project: join(cwd, '.claude/settings.json'),
    local: join(cwd, '.claude/settings.local.json'),
    managed: join(HOME, 'managed.json'),
  }
  const write = (whose: keyof typeof files, value: unknown) => {
    mkdirSync(dirname(files[whose]), { recursive: true })
    writeFileSync(files[whose], JSON.stringify(value))
  }
  const found = () => checkSandbox({ HOME }, bus, [files.managed])
  return { root: bus.home.root, HOME, cwd, files, write, found }
}

type World = ReturnType<typeof world>
const on = (filesystem: unknown = {}) => ({ sandbox: { enabled: true, filesystem } })

test.each(['user', 'project', 'local', 'managed'] as const)(
  'a sandbox that the %s settings switch on is named, with the setting that opens it',
  (whose) => {
    const here = world()
    here.write(whose, on())
    const [check] = here.found()
    expect(check).toMatchObject({ name: 'sandbox', status: 'warning' })
    expect(check?.detail).toContain(here.files[whose])
    expect(check?.hint).toContain(here.files.user)
    expect(check?.hint).toContain(`{"sandbox":{"filesystem":{"allowWrite":["${here.root}"]}}}`)
  },
)

test.each<[string, (here: World) => unknown]>([
  ['itself', ({ root }) => on({ allowWrite: [root] })],
  ['with two slashes', ({ root }) => on({ allowWrite: [`/${root}`] })],
  ['with a slash at the end', ({ root }) => on({ allowWrite: [`${root}/`] })],
  ['a folder above', ({ root }) => on({ allowWrite: [dirname(root)] })],
  ['all below it', ({ root }) => on({ allowWrite: [`${root}/**`] })],
  ['among others', ({ root }) => on({ allowWrite: ['/nowhere', 7, root] })],
  [
    'as a directory of the client',
    ({ root }) => ({
      ...on(),
      permissions: { additionalDirectories: [root] },
    }),
  ],
  ['by no rules for files at all', () => on({ disabled: true })],
])('the data directory may be written: %s', (_, value) => {
  const here = world()
  here.write('user', value(here))
  expect(here.found()).toMatchObject([{ name: 'sandbox', status: 'ok' }])
})

test.each<[string, (here: World) => unknown]>([
  ['another', () => on({ allowWrite: ['/nowhere'] })],
  ['one whose name goes on', ({ root }) => on({ allowWrite: [`${root}-old`] })],
  ['one below it', ({ root }) => on({ allowWrite: [`${root}/inbox`] })],
  ['one that is no list', ({ root }) => on({ allowWrite: root })],
  ['one of the settings’ own folder', () => on({ allowWrite: ['agent-chat'] })],
])('it may not be written by %s', (_, value) => {
  const here = world()
  here.write('user', value(here))
  expect(here.found()).toMatchObject([{ status: 'warning' }])
})

test('what is denied stays denied, and the file that does it is named', () => {
  const here = world()
  here.write('user', on({ allowWrite: [here.root] }))
  here.write('project', { sandbox: { filesystem: { denyWrite: [here.root] } } })
  expect(here.found()).toMatchObject([
    { status: 'warning', hint: expect.stringContaining(`denyWrite in ${here.files.project}`) },
  ])
})

test('the strongest settings say whether it is on', () => {
  const here = world()
  here.write('user', on())
  here.write('managed', { sandbox: { enabled: false } })
  expect(here.found()).toEqual([])
})

test.each([{}, { sandbox: {} }, { sandbox: { enabled: 'yes' } }, { sandbox: 1 }])(
  'no word of it where settings are %j',
  (value) => {
    const here = world()
    here.write('user', value)
    expect(here.found()).toEqual([])
  },
)
