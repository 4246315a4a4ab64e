import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * Who may import whom. A room is a folder of `src/`, or a file that stands there by itself; an
 * arrow points down only, and rooms on one row never import each other. Tests may import anything.
 */
const ROOMS: { room: string; may: string[] }[] = [
  { room: 'main.ts', may: ['boot'] },
  { room: 'hook.ts', may: ['boot'] },
  {
    room: 'programs',
    may: ['agents', 'console', 'cli', 'hooks', 'session', 'bus', 'message', 'system', 'boot'],
  },
  // The room inside Claude Code: it runs in the client, and takes types and what is pure.
  { room: 'mod', may: ['feed', 'trust', 'session'] },
  {
    room: 'console',
    may: ['feed', 'chat', 'doorbell', 'trust', 'session', 'bus', 'message', 'system', 'errors.ts'],
  },
  {
    room: 'cli',
    may: [
      ...[
        'web',
        'feed',
        'agents',
        'worker',
        'mcp',
        'link',
        'chat',
        'doctor',
        'setup',
        'trust',
        'session',
        'bus',
        'message',
      ],
      ...['system', 'errors.ts', 'version.ts'],
    ],
  },
  {
    room: 'web',
    may: ['feed', 'chat', 'launcher', 'session', 'bus', 'message', 'system', 'errors.ts'],
  },
  {
    room: 'worker',
    may: [
      'agents',
      'chat',
      'launcher',
      'trust',
      'session',
      'bus',
      'message',
      'system',
      'errors.ts',
    ],
  },
  { room: 'mcp', may: ['chat', 'session', 'bus', 'message', 'system', 'errors.ts', 'version.ts'] },
  { room: 'link', may: ['chat', 'trust', 'session', 'bus', 'message', 'system', 'errors.ts'] },
  {
    room: 'hooks',
    may: [
      ...['agents', 'changes', 'doorbell', 'trust', 'session', 'bus', 'message', 'system'],
      'errors.ts',
    ],
  },
  // The one live source of all surfaces: who needs you.
  { room: 'feed', may: ['chat', 'doorbell', 'trust', 'session', 'bus', 'message', 'system'] },
  {
    room: 'chat',
    may: [
      'agents',
      'changes',
      'launcher',
      'doorbell',
      'trust',
      'session',
      'bus',
      'message',
      'system',
      'errors.ts',
    ],
  },
  {
    room: 'doctor',
    may: [
      ...['agents', 'setup', 'doorbell', 'trust', 'session', 'bus', 'message', 'system'],
      'errors.ts',
    ],
  },
  { room: 'launcher', may: ['agents', 'session', 'bus', 'system', 'errors.ts'] },
  { room: 'setup', may: ['agents', 'session', 'bus', 'system', 'errors.ts'] },
  { room: 'doorbell', may: ['agents', 'session', 'bus', 'message', 'system', 'errors.ts'] },
  // What peers in one repository have changed.
  { room: 'changes', may: ['trust', 'session', 'bus', 'message', 'system'] },
  { room: 'trust', may: ['agents', 'session', 'bus', 'message', 'system', 'errors.ts'] },
  { room: 'session', may: ['agents', 'bus', 'message', 'system', 'errors.ts'] },
  { room: 'bus', may: ['message', 'system', 'errors.ts'] },
  { room: 'agents', may: [] },
  { room: 'message', may: ['errors.ts'] },
  { room: 'system', may: ['errors.ts'] },
  { room: 'boot', may: [] },
  { room: 'errors.ts', may: [] },
  { room: 'version.ts', may: [] },
  { room: 'testing', may: ['agents', 'bus', 'message', 'system'] },
]

/**
 * Each library, and the files that may import it: one, so that it can be understood and replaced in
 * one place.
 */
const LIBRARIES: Record<string, string[]> = {
  '@earendil-works/pi-tui': ['src/console/view'],
  '@hono/node-server': ['src/web/serving.ts'],
  '@modelcontextprotocol/server': ['src/mcp/sdk.ts', 'src/mcp/transport.ts'],
  '@nats-io/jetstream': ['src/link/nats/'],
  '@nats-io/transport-node': ['src/link/nats/'],
  chokidar: ['src/system/events.ts', 'src/system/follow.ts'],
  commander: [
    ...['src/cli/command.ts', 'src/cli/program.ts'],
    ...['src/cli/commands/', 'src/cli/completion/', 'src/cli/options/'],
  ],
  croner: ['src/worker/clock/calendar.ts'],
  diff: ['src/chat/watchFile/diff.ts'],
  execa: ['src/system/start.ts'],
  'gray-matter': ['src/message/format.ts'],
  hono: ['src/web/'],
  'js-yaml': ['src/message/format.ts'],
  preact: ['src/web/page/'],
  'proper-lockfile': ['src/system/lock.ts'],
}

/** What a hook must start without: it runs at every prompt, and each of these costs a start-up. */
const TOO_HEAVY_FOR_HOOKS = [
  'chokidar',
  'commander',
  'croner',
  'execa',
  'gray-matter',
  'hono',
  'js-yaml',
  'proper-lockfile',
]

/** Where the world outside may be asked directly: composition roots and the edges. */
const MAY_TOUCH_THE_WORLD =
  /^(setup\.ts|src\/(main|hook)\.ts|src\/(boot|programs|system|web\/page)\/|src\/cli\/systemPorts\.ts)/
const ROOTS =
  /^(setup\.ts|src\/(main|hook|boot\/compiled)\.ts|src\/programs\/\w+\.ts|src\/web\/page\/main\.tsx|src\/mod\/room\.ts)$/
const THE_WORLD = /(?<!\$\.)\bprocess\.|\bDate\.now\(|(?<!\/)\bconsole\.|\bhomedir\b/

/** A file longer than this has a reason, and no file has had one yet. */
const MAX_LINES = 300

/**
 * What may lie in `src/cli`: text goes out in `render/`, and what one does in the room is `chat/`.
 */
const IN_CLI = [
  ...['commands', 'completion', 'options', 'render'],
  ...['command.ts', 'ports.ts', 'program.ts', 'systemPorts.ts', 'unknown.ts', 'verbs.ts'],
]

/**
 * Questions that have one answer: where it is given, the names and words by which one would give it,
 * and what else may name them.
 */
const ONE_ANSWER: { question: string; in: string; by: RegExp; but: string[] }[] = [
  {
    question: 'who spoke',
    in: 'src/trust/turn/',
    by: /\bturnOrigin\b|<task-notification>|\b(isNativeRing|isTypedRing|looksLikeTask|originOf)\b/,
    but: [],
  },
  {
    question: 'is the person here',
    in: 'src/trust/human/',
    by: /\b(TELLING_MARKS|OTHERS_MARKS|judgeTree|lookUp|clientTrees)\b|'CLAUDECODE'/,
    // The constants of the agents; and what a report for the maintainers says of the environment.
    but: ['src/agents/', 'src/doctor/report.ts'],
  },
  {
    question: 'who needs you',
    in: 'src/feed/',
    by: /\b(questionsNow|questionsToHuman|allHeld)\b|believedState\([^)]*\)\?\.question\b/,
    but: [
      'src/trust/sendGate/',
      // What holds messages, and what lets them go.
      ...['src/chat/gate.ts', 'src/chat/pause.ts', 'src/cli/commands/pause.ts'],
      // `status human` lists what was asked of you; the console completes chains.
      ...['src/chat/status/statusRow.ts', 'src/console/live.ts'],
    ],
  },
]

/** Rooms that give data to every surface, and print nothing. */
const GIVES_DATA = ['chat', 'doctor', 'setup']
const PRINTING = /\bprocess\.std(out|err)\b|\b(print|talk)\(|\bwriteOut\b/

type Import = { target: string; kind: 'static' | 'dynamic' | 'type' }
type Source = { path: string; text: string; code: string; imports: Import[] }

const ROOT = resolve(import.meta.dirname, '..')
const sources = filesBelow('src')
  .map(readSource)
  .filter((source) => source !== undefined)
const product = sources.filter(
  ({ path }) => !path.endsWith('.test.ts') && !path.startsWith('src/testing/'),
)
const imports = sources.flatMap((source) =>
  source.imports.map((one) => ({ ...one, from: source.path })),
)

describe('the house', () => {
  test(`was seen: ${sources.length} files with ${imports.length} imports`, () => {
    expect(product.length).toBeGreaterThan(50)
    expect(imports.length).toBeGreaterThan(200)
    for (const { path } of sources) expect(ROOMS.map(({ room }) => room)).toContain(roomOf(path))
  })

  test.each(ROOMS)('$room imports nothing but itself and $may', ({ room, may }) => {
    const strangers = imports
      .filter(({ from }) => !from.endsWith('.test.ts') && roomOf(from) === room)
      .filter(
        ({ target }) =>
          target.startsWith('src/') && roomOf(target) !== room && !may.includes(roomOf(target)),
      )
    expect(strangers).toEqual([])
  })

  test.each(ROOMS)('$room needs all that it may import', ({ room, may }) => {
    const used = imports
      .filter(({ from }) => !from.endsWith('.test.ts') && roomOf(from) === room)
      .map(({ target }) => roomOf(target))
    expect(may.filter((other) => !used.includes(other))).toEqual([])
  })

  test('a room is imported by rooms above it only', () => {
    const order = ROOMS.map(({ room }) => room).filter((room) => room !== 'testing')
    for (const { room, may } of ROOMS)
      if (room !== 'testing')
        for (const other of may)
          expect([room, other, order.indexOf(other) > order.indexOf(room)]).toEqual([
            room,
            other,
            true,
          ])
  })

  test('message/ is pure: no part of Node, whatever it imports', () => {
    expect(imports.filter(({ from, target }) => isOf(from, 'message') && isNode(target))).toEqual(
      [],
    )
  })

  test('only tests import what is for tests', () => {
    const wrong = imports.filter(
      ({ from, target }) =>
        !from.endsWith('.test.ts') &&
        roomOf(from) !== 'testing' &&
        (roomOf(target) === 'testing' || target.endsWith('.test.ts')),
    )
    expect(wrong).toEqual([])
  })

  test('each library has its one place', () => {
    const used = imports.filter(
      ({ target }) => !target.startsWith('src/') && !isNode(target) && !target.endsWith('.json'),
    )
    const ofProduct = used.filter(({ from }) => product.some(({ path }) => path === from))
    const wrong = ofProduct.filter(
      ({ from, target }) => !LIBRARIES[packageOf(target)]?.some((place) => from.startsWith(place)),
    )
    expect(wrong).toEqual([])
    expect([...new Set(ofProduct.map(({ target }) => packageOf(target)))].sort()).toEqual(
      Object.keys(LIBRARIES),
    )
  })

  test('a hook reaches no library, however far one follows what it loads', () => {
    for (const program of ['hooks', 'beforeTool', 'afterTool']) {
      const reached = reachedFrom(`src/programs/${program}.ts`, (kind) => kind === 'static')
      expect(reached.size).toBeGreaterThan(10)
      expect(TOO_HEAVY_FOR_HOOKS.filter((library) => reached.has(library))).toEqual([])
    }
  })

  test('every file is reached from a root', () => {
    const roots = product.map(({ path }) => path).filter((path) => ROOTS.test(path))
    const reached = new Set(roots.flatMap((root) => [root, ...reachedFrom(root, () => true)]))
    expect(product.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([])
  })

  test('cli/ holds the command line and nothing else', () => {
    const own = product.map(({ path }) => path.split('/')).filter(([, room]) => room === 'cli')
    expect([...new Set(own.map(([, , entry]) => entry))].sort()).toEqual([...IN_CLI].sort())
  })

  test.each(GIVES_DATA)('%s gives data, and a surface prints it', (room) => {
    const own = product.filter(({ path }) => roomOf(path) === room)
    expect(own.length).toBeGreaterThan(5)
    expect(own.filter(({ code }) => PRINTING.test(code)).map(({ path }) => path)).toEqual([])
  })

  test('no file imports itself, however far round', () => {
    const loops = product
      .map(({ path }) => path)
      .filter((path) => reachedFrom(path, () => true).has(path))
    expect(loops).toEqual([])
  })
})

describe.each(ONE_ANSWER)('$question is answered in $in alone', (law) => {
  test('by what stands in the code', () => {
    const here = product.filter(({ path, code }) => path.startsWith(law.in) && law.by.test(code))
    const elsewhere = product.filter((source) => answersElsewhere(source, law))
    expect(here.length).toBeGreaterThan(0)
    expect(elsewhere.map(({ path }) => path)).toEqual([])
  })
})

describe('a second answer', () => {
  test.each([
    ['src/hooks/second.ts', "import { originOf } from '../trust/turn/origins.ts'"],
    ['src/chat/second.ts', "const isTask = text.startsWith('<task-notification>')"],
    ['src/mod/second.ts', 'const isYours = entry.turnOrigin === word'],
    ['src/cli/second.ts', "import { judgeTree } from '../trust/human/tree.ts'"],
    ['src/chat/second.ts', "if (env['CLAUDECODE']) return 'agent'"],
    ['src/console/second.ts', 'const waits = questionsToHuman(bus).length'],
    ['src/mod/second.ts', 'const count = allHeld(bus).length'],
    ['src/cli/second.ts', 'const asks = believedState(home, name, processes)?.question'],
    ['src/web/second.ts', 'const marks = TELLING_MARKS.filter((mark) => env[mark])'],
  ])('in %s is seen: %s', (path, code) => {
    const seen = ONE_ANSWER.filter((one) => answersElsewhere({ path, code }, one))
    expect(seen).toHaveLength(1)
  })
})

function answersElsewhere(
  { path, code }: Pick<Source, 'path' | 'code'>,
  { in: room, by, but }: (typeof ONE_ANSWER)[number],
): boolean {
  return ![room, ...but].some((place) => path.startsWith(place)) && by.test(code)
}

describe('every file', () => {
  test('leaves the world outside to the edges', () => {
    const wrong = product
      .filter(({ path, code }) => !MAY_TOUCH_THE_WORLD.test(path) && THE_WORLD.test(code))
      .map(({ path, code }) => `${path}: ${THE_WORLD.exec(code)?.[0]}`)
    expect(wrong).toEqual([])
  })

  test('names what it exports, each by itself', () => {
    const wrong = sources
      .filter(({ code }) => /^export (\*|default\b)|^export \{[^}]*\} from/m.test(code))
      .map(({ path }) => path)
    expect(wrong).toEqual([])
  })

  test(`has at most ${MAX_LINES} lines`, () => {
    const long = product
      .filter(({ text }) => text.split('\n').length > MAX_LINES)
      .map(({ path }) => path)
    expect(long).toEqual([])
  })

  test('is found under the very name that is imported', () => {
    const known = new Set(sources.map(({ path }) => path))
    expect(
      imports.filter(
        ({ target }) => target.startsWith('src/') && target.endsWith('.ts') && !known.has(target),
      ),
    ).toEqual([])
  })
})

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`)
    .sort()
}

function readSource(path: string): Source | undefined {
  try {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    return { path, text, code, imports: importsOf(path, code) }
  } catch {
    return undefined
  }
}

function importsOf(path: string, code: string): Import[] {
  const found: Import[] = []
  for (const [, type, name = ''] of code.matchAll(
    /^(?:import|export)( type)?\b[^'"`;]*?from '([^']+)'/gm,
  ))
    found.push({ target: targetOf(path, name), kind: type ? 'type' : 'static' })
  for (const [, name = ''] of code.matchAll(/^import '([^']+)'/gm))
    found.push({ target: targetOf(path, name), kind: 'static' })
  for (const [, name = ''] of code.matchAll(/\b(?:import|require)\(\s*'([^']+)'\s*\)/g))
    found.push({ target: targetOf(path, name), kind: 'dynamic' })
  return found
}

function targetOf(path: string, name: string): string {
  return name.startsWith('.') ? join(dirname(path), name) : name
}

/** The package of an import: `hono` of `hono/cookie`. */
function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')
}

function roomOf(path: string): string {
  return path.replace(/^src\//, '').split('/')[0] ?? ''
}

function isOf(path: string, room: string): boolean {
  return !path.endsWith('.test.ts') && roomOf(path) === room
}

function isNode(target: string): boolean {
  return target.startsWith('node:') || builtinModules.includes(target)
}

function reachedFrom(root: string, follow: (kind: Import['kind']) => boolean): Set<string> {
  const reached = new Set<string>()
  const open = [root]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const { target, kind } of sources.find((source) => source.path === path)?.imports ?? []) {
      if (!follow(kind) || reached.has(target)) continue
      reached.add(target)
      open.push(target)
    }
  }
  return reached
}
