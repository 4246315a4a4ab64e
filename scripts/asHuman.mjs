import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** How often is looked for the end of the command. In milliseconds. */
const LOOK_MS = 20

/**
 * Runs a program as a person does: typed into a shell in a terminal of its own, whatever runs the
 * tests. Nothing of this process's environment but `PATH` reaches it, and no process of the tests is
 * above it. `answer`: it is started by tmux itself, as in a popup, and its `[y/N]` is answered so.
 * Throws where it has not ended after `limitMs`.
 * @param {string[]} argv
 * @param {{ env: { [name: string]: string }, cwd?: string, input?: string | Buffer, limitMs?: number, answer?: string | undefined }} options
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export async function asHuman(argv, { env, cwd = '/', input = '', limitMs = 60_000, answer }) {
  const folder = mkdtempSync(join(tmpdir(), 'human-'))
  const path = (/** @type {string} */ name) => join(folder, name)
  const text = (/** @type {string} */ name) => readFileSync(path(name), 'utf8')
  const tmux = (/** @type {string[]} */ ...args) =>
    run('env', [
      '-i',
      `PATH=${process.env.PATH}`,
      'TERM=xterm',
      // Without it tmux takes the user's login shell, and a user may have none.
      'SHELL=/bin/sh',
      'tmux',
      '-f',
      '/dev/null',
      '-S',
      path('t'),
      ...args,
    ])
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const words = ['env', '-i', ...variables, ...argv].map(quoted).join(' ')
  writeFileSync(path('in'), input)
  // A job of the shell, which has the terminal while it runs. The shell itself would go on when the
  // program is stopped; a subshell waits for its end.
  writeFileSync(
    path('line'),
    `cd ${quoted(cwd)}; (${words} <${path('in')} >${path('out')} 2>${path('err')}; echo $? >${path('ended')}; mv ${path('ended')} ${path('code')})\n`,
  )
  const started = answer === undefined ? 'exec bash --norc --noprofile' : `. ${path('line')}; cat`
  try {
    await tmux('new-session', '-d', '-x', '200', '-y', '50', started)
    if (answer === undefined) {
      await tmux('send-keys', '-l', `. ${path('line')}`)
      await tmux('send-keys', 'Enter')
    }
    const last = Date.now() + limitMs
    let asked = answer === undefined
    while (!existsSync(path('code'))) {
      if (Date.now() > last) throw new Error(`waited ${limitMs} ms in vain: ${argv.join(' ')}`)
      if (!asked && (await tmux('capture-pane', '-p')).stdout.includes('[y/N]')) {
        asked = true
        await tmux('send-keys', answer ?? '', 'Enter')
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
    return { code: Number(text('code')), stdout: text('out'), stderr: text('err') }
  } finally {
    await tmux('kill-server').catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} word */
function quoted(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
