import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { leftOut } from '../testing/leftOut.ts'
import { until } from '../testing/until.ts'
import { notify, notifyArgv } from './desktop.ts'

const TEXT = `a "b" 'c' $(touch pwned)`

/**
 * A directory for `PATH` with a program that writes what it was given, one a line, into the file
 * that it returns.
 */
function withProgram(name: string): { path: string; given: string } {
  const path = tempDirectory()
  const given = join(path, 'given')
  writeFileSync(
    join(path, name),
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${given}.tmp"\n/bin/mv "${given}.tmp" "${given}"\n`,
  )
  chmodSync(join(path, name), 0o755)
  return { path, given }
}

describe('the command', () => {
  test.each([[{ DISPLAY: ':0' }], [{ WAYLAND_DISPLAY: 'wayland-0' }]])(
    'is notify-send where there is %j',
    (display) => {
      const { path } = withProgram('notify-send')
      expect(notifyArgv(TEXT, { PATH: path, ...display }, false)).toEqual([
        join(path, 'notify-send'),
        'agent-chat',
        TEXT,
      ])
    },
  )

  test('is none without a display, or without the program', () => {
    const { path } = withProgram('notify-send')
    expect(notifyArgv(TEXT, { PATH: path }, false)).toBeUndefined()
    expect(notifyArgv(TEXT, { PATH: path, DISPLAY: '' }, false)).toBeUndefined()
    expect(notifyArgv(TEXT, { PATH: tempDirectory(), DISPLAY: ':0' }, false)).toBeUndefined()
    expect(notifyArgv(TEXT, { DISPLAY: ':0' }, false)).toBeUndefined()
  })

  test('is osascript on a Mac, and the text no part of the script', () => {
    const { path } = withProgram('osascript')
    const argv = notifyArgv(TEXT, { PATH: path }, true)
    expect(argv?.[0]).toBe(join(path, 'osascript'))
    expect(argv?.indexOf(TEXT)).toBe((argv?.length ?? 0) - 1)
    expect(argv?.slice(1, -1).filter((_, at) => at % 2 === 0)).toEqual(['-e', '-e', '-e'])
    expect(notifyArgv(TEXT, { PATH: tempDirectory() }, true)).toBeUndefined()
  })
})

test(
  'the program gets the text as one argument',
  leftOut(process.platform === 'darwin' && 'a Mac has another program'),
  async () => {
    const { path, given } = withProgram('notify-send')
    expect(notify(TEXT, { PATH: path, DISPLAY: ':0' })).toBe(true)
    await until('the notification', () => existsSync(given))
    expect(readFileSync(given, 'utf8')).toBe(`agent-chat\n${TEXT}\n`)
  },
)

test(
  'a program that does not start has told nobody',
  leftOut(process.platform === 'darwin' && 'a Mac has another program'),
  () => {
    const { path } = withProgram('notify-send')
    writeFileSync(join(path, 'notify-send'), '#!/nowhere/at/all\n')
    expect(notify(TEXT, { PATH: path, DISPLAY: ':0' })).toBe(false)
  },
)
