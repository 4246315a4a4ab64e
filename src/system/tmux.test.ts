import { chmodSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { systemTmux } from './tmux.ts'

/** A tmux that is a shell script. */
function scripted(script: string): ReturnType<typeof systemTmux> {
  const bin = tempDirectory()
  writeFileSync(`${bin}/tmux`, `#!/bin/sh\n${script}\n`)
  chmodSync(`${bin}/tmux`, 0o755)
  const { PATH } = process.env
  process.env.PATH = `${bin}:${PATH}`
  onTestFinished(() => {
    process.env.PATH = PATH
  })
  return systemTmux(() => 'install it')
}

test('an answer: the code, what is printed as it is, and what is complained of', async () => {
  const tmux = scripted('echo "$@"; echo "no such thing" >&2; exit 3')
  expect(await tmux.run(['list-panes', '-F', 'a b'], '/there')).toEqual({
    code: 3,
    stdout: '-u -S /there list-panes -F a b\n',
    stderr: 'no such thing',
  })
})

test('a server that does not answer is given up, also where another process keeps the output open', async () => {
  const tmux = scripted('sleep 5 & wait')
  const answer = await tmux.run(['list-panes'], undefined, 300)
  expect(answer).toEqual({ code: 1, stdout: '', stderr: 'no answer in 300 ms', late: true })
})

test('where there is no tmux, that is said', async () => {
  const { PATH } = process.env
  onTestFinished(() => {
    process.env.PATH = PATH
  })
  const tmux = systemTmux(() => 'install it')
  process.env.PATH = tempDirectory()
  await expect(tmux.run(['list-panes'])).rejects.toMatchObject({ code: 'PROGRAM_MISSING' })
  await expect(tmux.runHere(['attach'])).rejects.toMatchObject({ code: 'PROGRAM_MISSING' })
})
