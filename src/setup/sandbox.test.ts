import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempBus, tempDirectory } from '../testing/home.ts'
import { checkSandbox, offerSandbox } from './sandbox.ts'

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
  const said: string[] = []
  const offer = (answer: boolean | undefined) => {
    const ask = async (question: string) => {
      said.push(question)
      return answer === true
    }
    const agree = answer === undefined ? undefined : ask
    return offerSandbox({ env: { HOME }, bus }, agree, (text) => said.push(text), [files.managed])
  }
  const text = () => (existsSync(files.user) ? readFileSync(files.user, 'utf8') : undefined)
  return { root: bus.home.root, HOME, cwd, files, write, found, offer, said, text }
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

const OWN: [what: string, own: string | undefined][] = [
  ['its sandbox is on', '{\n  "sandbox": {\n    "enabled": true\n  },\n  "model": "x"\n}\n'],
  ['rules for files', '{"sandbox":{"enabled":true,"filesystem":{}}}'],
  ['an empty list', '{"sandbox": {"enabled": true, "filesystem": {"allowWrite": []}}}'],
  [
    'a list of others',
    '{\n\t"sandbox": {\n\t\t"enabled": true,\n\t\t"filesystem": {"allowWrite": [\n"/a"]}}\n}',
  ],
  ['a project that switches it on, and own settings', '{"model": "x"}'],
  ['a project that switches it on, and no settings', undefined],
]

test.each(OWN)('setup opens it once the user agrees: %s', async (_, own) => {
  const here = world()
  here.write('user', {})
  here.write('project', on())
  if (own === undefined) rmSync(here.files.user)
  else writeFileSync(here.files.user, own)
  for (const answer of [undefined, false]) {
    expect(await here.offer(answer)).toMatchObject([{ status: 'warning' }])
    expect(here.text()).toBe(own)
  }
  expect(await here.offer(true)).toMatchObject([{ name: 'sandbox', status: 'ok' }])
  const { sandbox, ...others } = JSON.parse(here.text() ?? '')
  const { sandbox: before, ...kept } = JSON.parse(own ?? '{}')
  const list = [here.root, ...(before?.filesystem?.allowWrite ?? [])]
  expect(sandbox.filesystem.allowWrite).toEqual(list)
  expect([sandbox.enabled, others]).toEqual([before?.enabled, kept])
  expect(here.said.filter((line) => line.startsWith('+')).join()).toContain(here.root)
  expect(here.said.at(-1)).toMatch(/^Let commands .* write .*\?$/)
  // Nothing is asked where nothing is missing.
  here.said.length = 0
  expect(await here.offer(true)).toMatchObject([{ status: 'ok' }])
  expect(here.said).toEqual([])
})

test.each<[string, (here: World) => void]>([
  ['it is off', (here) => here.write('user', {})],
  ['another file denies it', (here) => here.write('project', on({ denyWrite: [here.root] }))],
  ['its list is none', (here) => here.write('user', on({ allowWrite: '/x' }))],
  [
    'its settings have comments',
    (here) => {
      here.write('project', on())
      here.write('user', {})
      writeFileSync(here.files.user, '{"model": "x" // mine\n}')
    },
  ],
])('setup changes nothing where %s', async (_, does) => {
  const here = world()
  does(here)
  const [before, found] = [here.text(), here.found()]
  expect(await here.offer(true)).toEqual(found)
  expect([here.text(), here.said]).toEqual([before, []])
})
