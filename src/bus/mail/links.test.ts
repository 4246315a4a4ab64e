import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { preloading } from '../../../scripts/runtime.mjs'
import { runCli } from '../../testing/cli.ts'
import { filesIn, tempDirectory, tempHome } from '../../testing/home.ts'
import { linkOrCopy, publish } from './publish.ts'

/**
 * Variables that make the program meet a disk without hard links, as FAT and some network disks
 * are. Such a disk cannot be mounted everywhere; `link(2)` answers EPERM there (its manual page),
 * and so does this.
 */
function withoutLinks(more = ''): Record<string, string> {
  const path = `${tempDirectory()}/no-links.cjs`
  const error = `Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM', syscall: 'link' })`
  writeFileSync(path, `require('node:fs').linkSync = () => { throw ${error} }\n${more}`)
  return preloading(path)
}

describe('a disk without hard links', () => {
  test('a message is a copy in the inbox, and all else is the same', async () => {
    const home = tempHome('backend', 'frontend')
    const run = (args: string[]) => runCli(args, { home: home.root, env: withoutLinks() })
    const bodies = ['one', 'two', 'three']
    for (const body of bodies)
      expect(await run(['send', '@frontend', body, '--as', 'backend'])).toMatchObject({
        code: 0,
        stderr: '',
      })
    const files = filesIn(home.messages)
    expect(files).toHaveLength(3)
    expect(filesIn(home.inbox('frontend'))).toEqual(files)
    for (const file of files) {
      const [kept, unread] = [`${home.messages}/${file}`, `${home.inbox('frontend')}/${file}`]
      expect(statSync(kept).ino).not.toBe(statSync(unread).ino)
      expect(readFileSync(kept)).toEqual(readFileSync(unread))
      expect(statSync(unread).mode & 0o777).toBe(0o600)
    }
    const read = await Promise.all([
      run(['inbox', 'frontend', '--json']),
      run(['inbox', 'frontend', '--json']),
    ])
    const shown = read.flatMap(({ stdout }) =>
      JSON.parse(stdout).messages.map(({ body }: { body: string }) => body),
    )
    expect(shown.sort()).toEqual(bodies.sort())
    expect(filesIn(home.inbox('frontend'))).toEqual([])
  })

  test('two messages of one microsecond are two', async () => {
    const home = tempHome('backend', 'frontend')
    const env = withoutLinks('Date.now = () => 1795232352123; process.hrtime = () => [0, 0]\n')
    for (const body of ['one', 'two'])
      expect(
        (await runCli(['send', '@frontend', body, '--as', 'backend'], { home: home.root, env }))
          .code,
      ).toBe(0)
    const files = filesIn(home.messages)
    expect(files).toEqual([
      '20261121T033912.123000Z-from-backend.md',
      '20261121T033912.123001Z-from-backend.md',
    ])
    expect(
      files.map(
        (file) =>
          readFileSync(home.unread('frontend', file.slice(0, -3)), 'utf8').split('---\n')[2],
      ),
    ).toEqual(['one\n', 'two\n'])
  })

  test('a sender that is killed half-way leaves nothing half there', async () => {
    const home = tempHome('backend', 'frontend')
    const args = ['send', '@frontend', 'lost', '--as', 'backend']
    const fault = { ...withoutLinks(), AGENT_CHAT_FAULT: 'send:published' }
    expect((await runCli(args, { home: home.root, env: fault })).signal).toBe('SIGKILL')
    expect(filesIn(home.inbox('frontend'))).toEqual([])
    expect((await runCli(args, { home: home.root, env: withoutLinks() })).code).toBe(0)
    expect(filesIn(home.inbox('frontend'))).toHaveLength(1)
  })
})

describe('publishing', () => {
  const place = () => {
    const path = tempDirectory()
    mkdirSync(`${path}/other`)
    writeFileSync(`${path}/temporary`, 'new')
    writeFileSync(`${path}/taken`, 'old')
    return path
  }

  test('never replaces what is there', () => {
    const path = place()
    expect(publish(`${path}/temporary`, `${path}/taken`)).toBe(false)
    expect(readFileSync(`${path}/taken`, 'utf8')).toBe('old')
    expect(publish(`${path}/temporary`, `${path}/free`)).toBe(true)
    expect(readFileSync(`${path}/free`, 'utf8')).toBe('new')
  })

  test('a second name that is there already is left as it is', () => {
    const path = place()
    linkOrCopy(`${path}/temporary`, `${path}/other/name`)
    linkOrCopy(`${path}/taken`, `${path}/other/name`)
    expect(readFileSync(`${path}/other/name`, 'utf8')).toBe('new')
    expect(() => linkOrCopy(`${path}/taken`, `${path}/nowhere/name`)).toThrow('ENOENT')
  })
})
