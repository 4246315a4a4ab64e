import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDirectory } from '../../testing/home.ts'
import { readTeam } from './file.ts'

const TEAM = '---\nsessions:\n  - name: backend\n    folder: api\n---\n## backend\nOwn it.\n'

/** A repository with a team, and a directory beside it that is not the repository's. */
function repository() {
  const dir = realpathSync(tempDirectory())
  const base = join(dir, 'repository')
  for (const one of ['.git', '.agent-chat', 'api/src', '../beside'])
    mkdirSync(join(base, one), { recursive: true })
  const file = join(base, '.agent-chat', 'team.md')
  writeFileSync(file, TEAM)
  return { dir, base, file, api: join(base, 'api') }
}

test('is found from anywhere below, and not above the repository', () => {
  const { base, file, api } = repository()
  for (const cwd of [base, api, join(api, 'src')])
    expect(readTeam(cwd)).toMatchObject({ path: file, base, members: [{ name: 'backend' }] })
  mkdirSync(join(api, '.git'))
  expect(() => readTeam(join(api, 'src'))).toThrow(/no .agent-chat\/team.md here/)
})

test('one sign more is another hash', () => {
  const { base, file } = repository()
  const { hash } = readTeam(base)
  writeFileSync(file, `${TEAM}\n`)
  expect(readTeam(base).hash).not.toBe(hash)
})

describe('a team that is not all in the repository is refused as a whole', () => {
  test.each<[string, (at: ReturnType<typeof repository>) => void, RegExp]>([
    ['5 MB', ({ file }) => writeFileSync(file, TEAM.padEnd(5e6, 'x')), /longer than 64 KB/],
    [
      'a link to another file',
      ({ dir, file }) => {
        renameSync(file, join(dir, 'beside', 'team.md'))
        symlinkSync(join(dir, 'beside', 'team.md'), file)
      },
      /through a link/,
    ],
    [
      'a link to another folder',
      ({ dir, base }) => {
        renameSync(join(base, '.agent-chat'), join(dir, 'beside', 'x'))
        symlinkSync(join(dir, 'beside', 'x'), join(base, '.agent-chat'))
      },
      /through a link/,
    ],
    [
      'a directory',
      ({ file }) => {
        rmSync(file)
        mkdirSync(file)
      },
      /not a plain file|EISDIR/,
    ],
    [
      'a pipe',
      ({ file }) => {
        rmSync(file)
        execFileSync('mkfifo', [file])
      },
      /not a plain file/,
    ],
    ['CR LF', ({ file }) => writeFileSync(file, TEAM.replaceAll('\n', '\r\n')), /CR LF/],
    [
      'a command',
      ({ file }) => writeFileSync(file, TEAM.replace('folder', 'command')),
      /"command"/,
    ],
    [
      'a folder that is gone',
      ({ api }) => rmSync(api, { recursive: true }),
      /api, which is not there/,
    ],
    [
      'a folder that is a file',
      ({ api }) => {
        rmSync(api, { recursive: true })
        writeFileSync(api, '')
      },
      /api, which is a file/,
    ],
    [
      'a folder that leads out',
      ({ dir, api }) => {
        rmSync(api, { recursive: true })
        symlinkSync(join(dir, 'beside'), api)
      },
      /api, which leads out of the repository/,
    ],
    [
      'a folder with a name that begins as the repository',
      ({ dir, api }) => {
        mkdirSync(join(dir, 'repository-2'))
        rmSync(api, { recursive: true })
        symlinkSync(join(dir, 'repository-2'), api)
      },
      /leads out of the repository/,
    ],
  ])('%s', (_, spoil, why) => {
    const at = repository()
    spoil(at)
    expect(() => readTeam(at.base)).toThrow(why)
  })
})
