import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sendMessage } from '../bus/mail/send.ts'
import { runCli } from '../testing/cli.ts'
import { filesIn, tempBus, tempDirectory } from '../testing/home.ts'

const IS_ROOT = process.getuid?.() === 0
const NOBODY = 65534

function world() {
  const bus = tempBus(['backend', 'frontend'])
  const directory = tempDirectory()
  const run = (name: string, ...args: string[]) =>
    runCli(args, { home: bus.home.root, env: { AGENT_CHAT_NAME: name }, cwd: directory })
  return { bus, directory, run, file: join(directory, 'api.yaml') }
}

/** The message that a command says it has sent. */
const idOf = (stdout: string) => /^sent (\S+) to/.exec(stdout)?.[1] ?? ''

describe('--attach', () => {
  test('names files by absolute path, size and hash; inbox shows a line of each, and show whether they have changed', async () => {
    const { directory, run, file } = world()
    const other = join(directory, 'with "quotes" and\nlines: #1')
    writeFileSync(file, 'openapi: 3\n')
    writeFileSync(other, '')
    const sent = await run(
      'backend',
      'send',
      '@frontend',
      'see these',
      '--attach',
      'api.yaml',
      '--attach',
      other,
      '--attach',
      file,
    )
    expect(sent).toMatchObject({ code: 0, stderr: '' })
    const { stdout } = await run('frontend', 'inbox')
    expect(stdout).toContain(`\nattached: ${file} · 11 bytes · `)
    expect(stdout).toContain(
      `\nattached: ${directory}/with "quotes" and lines: #1 · 0 bytes · e3b0c442\n`,
    )
    expect(stdout.match(/^attached: /gm)).toHaveLength(2)
    const show = async () =>
      JSON.parse((await run('frontend', 'show', idOf(sent.stdout), '--json')).stdout).attachments
    expect(await show()).toEqual([
      { path: file, bytes: 11, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), state: 'same' },
      { path: other, bytes: 0, sha256: expect.stringMatching(/^e3b0c442/), state: 'same' },
    ])
    writeFileSync(file, 'openapi: 4\n')
    rmSync(other)
    expect((await show()).map(({ state }: { state: string }) => state)).toEqual([
      'changed',
      'missing',
    ])
    const text = (await run('frontend', 'show', idOf(sent.stdout))).stdout
    expect(text).toContain(`\nattached ${file}: has changed since\n`)
    expect(text).toContain('lines: #1: is gone\n')
  })

  test('reply, task and done take it too', async () => {
    const { run, file } = world()
    writeFileSync(file, 'x')
    const task = await run('backend', 'task', '@frontend', 'move the list', '--attach', file)
    const done = await run(
      'frontend',
      'done',
      idOf(task.stdout),
      'moved',
      '--attach',
      'api.yaml',
      '--json',
    )
    const reply = await run(
      'backend',
      'reply',
      JSON.parse(done.stdout).id,
      'seen',
      '--attach',
      file,
    )
    for (const { stdout, code } of [task, done, reply]) {
      expect(code).toBe(0)
      const shown = JSON.parse(
        (
          await run(
            'backend',
            'show',
            stdout.startsWith('{') ? JSON.parse(stdout).id : idOf(stdout),
            '--json',
          )
        ).stdout,
      )
      expect(shown.attachments).toMatchObject([{ path: file, bytes: 1, state: 'same' }])
    }
  })

  test.each<[string, (path: string) => void]>([
    ['is not there', () => {}],
    ['is a directory', (path) => mkdirSync(path)],
    [
      'EACCES',
      (path) => {
        writeFileSync(path, 'x')
        chmodSync(path, 0)
      },
    ],
  ])('of what %s is bad input, and nothing is sent', async (why, make) => {
    const { bus, directory, file } = world()
    make(file)
    // Modes do not bind root, so there somebody else sends.
    if (IS_ROOT) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, join(bus.home.root, '..')])
    chmodSync(directory, 0o755)
    const sent = await runCli(['send', '@frontend', 'x', '--attach', file], {
      home: bus.home.root,
      env: { AGENT_CHAT_NAME: 'backend' },
      ...(IS_ROOT ? { uid: NOBODY } : {}),
    })
    expect(sent).toMatchObject({ code: 2, stdout: '' })
    expect(sent.stderr).toMatch(/^agent-chat: cannot attach "[^\n]*\n {2}hint: [^\n]+\n$/)
    expect(sent.stderr).toContain(why)
    expect(filesIn(bus.home.messages)).toEqual([])
  })

  test('of too many is bad usage', async () => {
    const { run, directory } = world()
    const paths = Array.from({ length: 51 }, (_, at) => join(directory, `f${at}`))
    for (const path of paths) writeFileSync(path, '')
    const sent = await run(
      'backend',
      'send',
      '@frontend',
      'x',
      ...paths.flatMap((path) => ['--attach', path]),
    )
    expect(sent).toMatchObject({ code: 2, stdout: '' })
    const most = await run(
      'backend',
      'send',
      '@frontend',
      'x',
      ...paths.slice(1).flatMap((path) => ['--attach', path]),
    )
    expect(most.code).toBe(0)
    expect((await run('frontend', 'inbox', '--json')).stdout).toContain('f50')
  })

  test('a header that says otherwise is passed over', async () => {
    const { bus, run } = world()
    const attachments = [
      'x',
      null,
      { path: 'relative', bytes: '1', sha256: 'a'.repeat(64) },
      { path: '/x', bytes: '-1' },
    ]
    sendMessage(bus, {
      from: 'backend',
      to: 'frontend',
      kind: 'note',
      body: 'b',
      extra: { attachments },
    })
    const { stdout, code } = await run('frontend', 'inbox')
    expect(code).toBe(0)
    expect(stdout).not.toContain('attached')
  })
})
