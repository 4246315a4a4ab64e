import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A first hour without Node: `install.sh` into an empty HOME, with `setup`, which rings through a real pane. Gives its seconds.
 * @param {string} packages the release: what `npm run pack:native` makes
 */
export function firstHour(packages) {
  const root = mkdtempSync(join(tmpdir(), 'agent-chat-first-'))
  try {
    const [home, bin] = [join(root, 'home'), join(root, 'bin')]
    for (const folder of [home, bin]) mkdirSync(folder)
    for (const place of ['/bin', '/usr/bin'])
      for (const name of readdirSync(place))
        if (!/^(node|npm|npx|bun)/.test(name) && !isThere(join(bin, name)))
          symlinkSync(join(place, name), join(bin, name))
    const env = { HOME: home, PATH: bin, AGENT_CHAT_HOME: join(home, 'agent-chat') }
    const args = [join(packages, 'install.sh'), '--from', packages]
    const began = performance.now()
    const { status, stdout, stderr } = spawnSync('sh', args, { env, cwd: '/', encoding: 'utf8' })
    const seconds = (performance.now() - began) / 1000
    if (status !== 0 || !stdout.includes('a message rang a real pane'))
      throw new Error(`install.sh ended with ${status}, and rang no pane:\n${stdout}${stderr}`)
    if (existsSync(join(bin, 'node'))) throw new Error('Node was on PATH')
    return seconds
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Whether the name is taken, by a link that leads nowhere, too. @param {string} path */
function isThere(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
