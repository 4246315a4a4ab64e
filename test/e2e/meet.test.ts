import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sceneForTest } from './gate/scene.ts'
import { eventually } from './harness/poll.ts'
import { newText } from './harness/request.ts'

const TEXT = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join('')

test('two real clients in two worktrees: the second write is refused with the diff, and then passes', async () => {
  const scene = await sceneForTest()
  const main = join(scene.world.dir, 'main')
  const other = join(scene.world.dir, 'other')
  mkdirSync(main)
  writeFileSync(join(main, 'a.txt'), TEXT)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: main })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  git('worktree', 'add', '-q', other)
  // A model that reads the file, edits it, and does the same once more where it is refused.
  scene.world.api.setRule((request) => {
    const all = request.messages.map(({ text }) => text).join('\n')
    const [, file = '', word = ''] = /please edit (\S+) with (\w+)/.exec(all) ?? []
    const heard = newText(request)
    const edit = {
      tool: 'Edit',
      input: { file_path: file, old_string: 'line 10\n', new_string: `${word}\n` },
    }
    if (heard.includes('please edit')) return { tool: 'Read', input: { file_path: file } }
    if (heard.includes('line 20') || heard.includes('where you are about to')) return edit
    return { text: 'done' }
  })
  await scene.chat(['join', 'frontend', '--no-watch'])
  const worksIn = (name: string, cwd: string) => {
    const path = join(scene.world.chat, 'sessions.json')
    const sessions = JSON.parse(readFileSync(path, 'utf8'))
    sessions[name].cwd = cwd
    writeFileSync(path, JSON.stringify(sessions))
  }
  const trees = { backend: main, frontend: other }
  const clients = []
  for (const [name, cwd] of Object.entries(trees)) {
    worksIn(name, cwd)
    const client = await scene.world.startHeadless({
      ...{ name, cwd, mode: 'acceptEdits' },
      args: ['--plugin-dir', dirname(dirname(scene.main))],
    })
    client.prompt('hello')
    await client.waitFor('the first turn', ({ type }) => type === 'result')
    clients.push({ client, name, file: join(cwd, 'a.txt') })
  }
  for (const { client, name, file } of clients) {
    client.prompt(`please edit ${file} with ${name}`)
    await eventually(
      'the edit',
      () => readFileSync(file, 'utf8').includes(`\n${name}\n`) || undefined,
    )
  }
  const told = scene.world.api.main().filter((one) => newText(one).includes('where you are about'))
  expect(told).toHaveLength(1)
  expect(newText(told[0] as (typeof told)[number])).toMatch(
    /@backend changed a\.txt[\s\S]*-line 10\n\+backend/,
  )
})
