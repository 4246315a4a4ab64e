import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { cleanEnv, DIST, outcome, runCli, startCli } from '../../src/testing/cli.ts'
import { filesIn, tempDirectory, tempHome } from '../../src/testing/home.ts'
import { leftOut } from '../../src/testing/leftOut.ts'
import { isStopped } from '../../src/testing/stopped.ts'
import { until } from '../../src/testing/until.ts'

const NOBODY = 65534
const IS_ROOT = process.getuid?.() === 0

const COMMANDS = [
  ['send', '@human', 'x', '--as', 'backend'],
  ['join', 'docs', '--no-watch'],
  ['inbox', 'human'],
  ['leave', 'backend'],
  ['who'],
  ['history'],
  ['show', 'from-backend'],
]

/**
 * Runs every command in a home that is no good: each says so in one line with a hint and ends with
 * 1.
 */
async function allRefused(
  home: string,
  says: RegExp,
  uid?: number,
  commands = COMMANDS,
): Promise<void> {
  const runs = await Promise.all(
    commands.map((args) => runCli(args, { home, cwd: '/', ...(uid === undefined ? {} : { uid }) })),
  )
  runs.forEach(({ code, stdout, stderr }, at) => {
    expect({ args: commands[at], code, stdout, stderr }).toEqual({
      args: commands[at],
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(says),
    })
    expect(stderr).toMatch(/^agent-chat: the home [^\n]+\n {2}hint: [^\n]+\n$/)
  })
}

describe('a home that is no good', () => {
  test('one that is a file', async () => {
    const path = `${tempDirectory()}/home`
    writeFileSync(path, 'mine')
    await allRefused(path, /is not a directory/)
    await allRefused(`${path}/below`, /is not a directory/)
  })

  test('one of another user', leftOut(!IS_ROOT && 'it takes root'), async () => {
    const path = tempDirectory()
    chmodSync(path, 0o777)
    await allRefused(path, /belongs to another user \(uid 0\)/, NOBODY)
    expect(filesIn(path)).toEqual([])
  })

  test(
    'one that may not be made: the place is named where it would have to be',
    leftOut(!IS_ROOT && 'it takes root'),
    async () => {
      const place = tempDirectory()
      chmodSync(place, 0o755)
      const made = [['join', 'docs', '--no-watch']]
      await allRefused(
        `${place}/new/home`,
        new RegExp(`is not yours to use .*\n {2}hint: .*: ls -ld ${place}; `),
        NOBODY,
        made,
      )
      const { code, stdout } = await runCli(['doctor', '--no-ring'], {
        home: `${place}/new/home`,
        cwd: '/',
        uid: NOBODY,
      })
      expect(code).toBe(1)
      expect(stdout).toMatch(
        new RegExp(`^failed +home .*is not yours to use.*\n +.*: ls -ld ${place}; `, 'm'),
      )
    },
  )

  test('one that may not be entered', async () => {
    const path = `${tempDirectory()}/home`
    mkdirSync(path)
    if (IS_ROOT) {
      chmodSync(`${path}/..`, 0o755)
      chownSync(path, NOBODY, NOBODY)
    }
    chmodSync(path, 0o000)
    await allRefused(
      path,
      /is not yours to use \(EACCES[^\n]*\n {2}hint: .*: ls -ld \S+\/home; /,
      IS_ROOT ? NOBODY : undefined,
    )
    chmodSync(path, 0o700)
    expect(filesIn(path)).toEqual([])
  })

  test('a file in the place of one of its directories is what has to be moved away', async () => {
    const home = tempHome('backend', 'frontend')
    rmSync(home.pids, { recursive: true })
    writeFileSync(home.pids, '')
    const { stderr } = await runCli(['join', 'docs', '--no-watch'], { home: home.root })
    expect(stderr).toMatch(/ \(EEXIST, pids\)\n {2}hint: .*: mv (\S+)\/pids \1\/pids\.old; /)
  })

  test('one that cannot be made', async () => {
    const path = tempDirectory()
    chmodSync(path, 0o555)
    const commands = COMMANDS.filter(([verb]) => verb === 'join')
    await allRefused(
      `${path}/home`,
      /is not yours to use \(EACCES/,
      IS_ROOT ? NOBODY : undefined,
      commands,
    )
    chmodSync(path, 0o755)
  })

  test('one that is removed while it is in use', async () => {
    const home = tempHome('backend', 'frontend')
    const child = startCli(['join', 'docs', '--no-watch'], {
      home: home.root,
      env: { AGENT_CHAT_FAULT: 'registry:locked:stop' },
    })
    const ended = outcome(child)
    await until('the join to stop', () => filesIn(home.root).length > 0 && isStopped(child.pid))
    rmSync(home.root, { recursive: true })
    child.kill('SIGCONT')
    const { code, stderr } = await ended
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^agent-chat: the home \S+ was removed while it was in use, or a part of it was \(ENOENT, [^\n]+\)\n {2}hint: try again: [^\n]+\n$/,
    )
    expect((await runCli(['join', 'docs', '--no-watch'], { home: home.root })).code).toBe(0)
  })

  test('an inbox that cannot be written to: the message is not sent, nor kept to be delivered later', async () => {
    const home = tempHome('backend', 'frontend')
    if (IS_ROOT) {
      spawnSync('chown', ['-R', String(NOBODY), home.root])
      chmodSync(`${home.root}/..`, 0o755)
    }
    chmodSync(home.inbox('frontend'), 0o500)
    const as = IS_ROOT ? { uid: NOBODY } : {}
    const args = ['send', '@frontend', 'x', '--as', 'backend']
    expect(await runCli(args, { home: home.root, ...as })).toMatchObject({ code: 1, stdout: '' })
    expect(filesIn(home.messages)).toEqual([])
    chmodSync(home.inbox('frontend'), 0o700)
    expect((await runCli(args, { home: home.root, ...as })).code).toBe(0)
    expect(filesIn(home.messages)).toEqual(filesIn(home.inbox('frontend')))
  })
})

/**
 * Runs a shell script where it may mount a small disk of its own at `$DISK`; undefined where this
 * system does not let us.
 */
function onSmallDisk(script: string): string | undefined {
  const disk = tempDirectory()
  const env = {
    ...cleanEnv({ home: `${disk}/home` }),
    DISK: disk,
    NODE: RUNTIME,
    MAIN: `${DIST}/main.js`,
  }
  const whole = `mount -t tmpfs -o size=256k none "$DISK" || exit 99\nchat() { "$NODE" "$MAIN" "$@" 2>&1; echo "code=$?"; }\n${script}`
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    [IS_ROOT ? '-m' : '-rm', 'sh', '-c', whole],
    {
      env,
      encoding: 'utf8',
      cwd: '/',
      timeout: 25_000,
    },
  )
  if (status === 99 || status === null || /unshare/.test(stderr)) return undefined
  return stdout
}

const PREPARE = 'chat join frontend --no-watch\nchat send @frontend first --as backend\n'

/**
 * Where no disk can be mounted (a Mac, a container without the right) these say so by being
 * skipped.
 */
describe('a disk', leftOut(onSmallDiskIsImpossible() && 'no disk can be mounted'), () => {
  test('that is full: nothing is sent, nothing is half there, and all goes on once there is room', () => {
    const out = onSmallDisk(`${PREPARE}
      dd if=/dev/zero of="$DISK/fill" bs=1k 2>/dev/null
      echo SEND; chat send @frontend second --as backend
      echo JOIN; chat join docs --no-watch
      echo INBOX; chat inbox frontend
      echo PEEK; chat inbox frontend --peek
      echo FILES; cd "$DISK/home"; find messages inbox sessions* -type f | wc -l
      rm "$DISK/fill"
      echo ROOM; chat send @frontend third --as backend
      chat inbox frontend >out; grep -v '^──' out; ls -A inbox/frontend`)
    const part = (from: string, to: string) => out?.slice(out.indexOf(from), out.indexOf(to)) ?? ''
    for (const failed of [part('SEND', 'JOIN'), part('JOIN', 'INBOX'), part('INBOX', 'PEEK')])
      expect(failed).toMatch(
        /^\w+\nagent-chat: the home \S+ is on a full disk \(ENOSPC[^\n]*\)\n {2}hint: [^\n]+\ncode=1\n$/,
      )
    expect(part('PEEK', 'FILES')).toMatch(/\nfirst\n[\s\S]*code=0\n$/)
    expect(part('FILES', 'ROOM').trim()).toBe('FILES\n3')
    expect(out?.slice(out.indexOf('ROOM'))).toMatch(
      /code=0\n[\s\S]*\nfirst\n[\s\S]*\nthird\n[\s\S]*code=0\nread\n$/,
    )
  })

  test('that is read-only: what only reads works, what writes says why', () => {
    const out = onSmallDisk(`${PREPARE}
      mount -o remount,bind,ro "$DISK"
      for args in 'send @frontend x --as backend' 'join docs --no-watch' 'leave frontend' 'inbox frontend'; do chat $args; done
      echo READ
      for args in 'inbox frontend --peek' 'inbox frontend --count' who history tasks 'show from-backend'; do chat $args >/dev/null && echo ok; done`)
    const [wrote = '', read = ''] = (out ?? '').split('READ\n')
    expect(
      wrote.match(
        /^agent-chat: the home \S+ is on a read-only disk \(EROFS.*\)\n {2}hint: .+\ncode=1$/gm,
      ),
    ).toHaveLength(4)
    expect(read).toBe('ok\n'.repeat(6))
  })
})

function onSmallDiskIsImpossible(): boolean {
  const { status } = spawnSync('unshare', [
    IS_ROOT ? '-m' : '-rm',
    'mount',
    '-t',
    'tmpfs',
    'none',
    '/mnt',
  ])
  return status !== 0
}

describe('output that cannot be written', () => {
  test('leaves what was not printed unread, and says so', async () => {
    const home = tempHome('backend', 'frontend')
    await runCli(['send', '@frontend', 'x', '--as', 'backend'], { home: home.root })
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `"${RUNTIME}" "${DIST}/main.js" inbox frontend >/dev/full`],
      {
        env: cleanEnv({ home: home.root }),
        encoding: 'utf8',
      },
    )
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /^agent-chat: [^\n]*the output could not be written \(ENOSPC[^\n]*\n {2}hint: [^\n]*stay unread\n$/,
    )
    expect(filesIn(home.inbox('frontend'))).toHaveLength(1)
  })

  test('what is said to nobody stops nothing', () => {
    const home = tempHome('backend', 'frontend')
    const script = `"${RUNTIME}" "${DIST}/main.js" send @frontend x --as docs 2>/dev/full; echo $?`
    const { stdout } = spawnSync('sh', ['-c', script], {
      env: cleanEnv({ home: home.root, env: { AGENT_CHAT_NAME: 'backend' } }),
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/^sent .*\n0\n$/)
  })
})
