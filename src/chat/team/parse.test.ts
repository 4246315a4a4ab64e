import { describe, expect, test } from 'vitest'
import { parseTeam } from './parse.ts'

const team = (header: string, text = '') => Buffer.from(`---\n${header}\n---\n${text}`)
const one = (settings: string) => team(`sessions:\n  - name: backend\n    ${settings}`)

test('a team: its sessions, and a brief for each that has one', () => {
  const file = team(
    `sessions:
  - name: backend
    folder: services/api
    model: opus
  - { name: frontend, agent: codex }`,
    `# Our team

Words for people: nobody is told them.

## backend

Own the API.

### Rules

\`\`\`md
## not a heading
\`\`\`

## frontend
`,
  )
  expect(parseTeam(file)).toEqual([
    {
      ...{ name: 'backend', agent: 'claude', folder: 'services/api', model: 'opus' },
      brief: 'Own the API.\n\n### Rules\n\n```md\n## not a heading\n```',
    },
    { name: 'frontend', agent: 'codex', folder: '.', model: undefined, brief: '' },
  ])
})

const header = 'sessions:\n  - name: backend'
const many = Array.from({ length: 13 }, (_, at) => `\n  - name: s-${at}`).join('')

describe('a file that is no team starts nothing, and says why', () => {
  test.each<[what: string, file: Buffer, why: RegExp]>([
    ['nothing', Buffer.from(''), /no list of sessions/],
    ['words alone', Buffer.from('# Team\n\n## backend\n'), /no list of sessions/],
    ['bytes', Buffer.from([0x2d, 0xff, 0xfe]), /not UTF-8/],
    ['CR LF', team(header, '## backend\r\n'), /end with CR LF/],
    ['CR LF everywhere', Buffer.from('---\r\nsessions: []\r\n---\r\n'), /end with CR LF/],
    ['a mark of order', Buffer.from(`\ufeff---\n${header}\n---\n`), /in line 1 .* be seen/],
    ['an escape', team(header, '## backend\nx\u001b[8mrm'), /in line 6 .*\^\[/],
    ['text that is turned round', team(header, '## backend\n\u202ex'), /line 6 .*<U\+202E>/],
    ['text of no width', team(header, '\u{e0041}'), /line 5 .*<U\+E0041>/],
    ['code', Buffer.from('---js\nmodule.exports = {}\n---\n'), /not plain YAML/],
    ['JSON', Buffer.from('---json\n{}\n---\n'), /not plain YAML/],
    ['a type of code', team('sessions: !!js/function "x"'), /cannot be read/],
    ['no end', Buffer.from(`---\n${header}\n`), /no end/],
    ['a key twice', team(`${header}\nsessions: []`), /cannot be read/],
    ['too much', team(`a: &a [x]\nsessions: [${'*a,'.repeat(2000)}]`), /cannot be read/],
    ['a key of its own', team(`${header}\ncommand: rm -rf /`), /"command" in its header/],
    ['a name alone', team('sessions: [backend]'), /"backend", not a name with its settings/],
    ['sessions by name', team('sessions: { backend: {} }'), /no list of sessions/],
    ['nobody', team('sessions: []'), /no list of sessions/],
    ['thirteen', team(`sessions:${many}`), /more than 12 sessions: 13/],
    ['a session twice', team(`${header}\n  - name: backend`), /the session backend twice/],
    ['no name', team('sessions:\n  - agent: codex'), /the name "none"/],
    ...['Backend', '../x', '-x', 'all', 'human', 'start', 'a.b', '"a b"', '[x]'].map(
      (name): [string, Buffer, RegExp] => [
        `the name ${name}`,
        team(`sessions:\n  - name: ${name}`),
        /which no session can have/,
      ],
    ),
    ...[
      'command: vim',
      'cmd: x',
      'args: [--yolo]',
      'arguments: x',
      'settings: x',
      'env: {A: b}',
    ].map((key): [string, Buffer, RegExp] => [
      key,
      one(key),
      /may have: name, agent, folder, model/,
    ]),
    ...['vim', 'Claude', '/bin/claude', '"claude; rm"', '""', '[claude]'].map(
      (agent): [string, Buffer, RegExp] => [
        `the agent ${agent}`,
        one(`agent: ${agent}`),
        /the agent .* not one of: claude, codex/,
      ],
    ),
    ...['..', '../x', 'a/../../x', 'a/..', '/etc', '~', '~/x', '~root', '""', '" "', '[a]'].map(
      (folder): [string, Buffer, RegExp] => [
        `the folder ${folder}`,
        one(`folder: ${folder}`),
        /the folder .* not below the repository/,
      ],
    ),
    ...['--yolo', '"opus --yolo"', '"a;b"', '$(x)', '""', '[opus]', '~'].map(
      (model): [string, Buffer, RegExp] => [
        `the model ${model}`,
        one(`model: ${model}`),
        /the model .* not the name of one/,
      ],
    ),
    ['a heading of nobody', team(header, '## frontend\n'), /"## frontend", which is no session/],
    ['a heading twice', team(header, '## backend\n## backend\n'), /"## backend" twice/],
  ])('%s', (_, file, why) => {
    expect(parseTeam(file)).toMatch(why)
  })
})
