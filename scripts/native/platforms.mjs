import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is built for, in Node's words for systems and processors. */
export const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64']

/** This machine. */
export const HERE = `${process.platform}-${process.arch}`

/** The executable of Bun for a platform: npm installed the one of this machine, and any other is fetched from the registry once. @param {string} platform */
export function bunOf(platform) {
  const name = `bun-${platform.replace('arm64', 'aarch64')}`
  const installed = ['node_modules/bun/bin/bun.exe', `node_modules/@oven/${name}/bin/bun`]
  const own = installed.find((path) => platform === HERE && existsSync(path))
  return own ?? fetched(name)
}

/** @param {string} name */
function fetched(name) {
  const { version } = JSON.parse(readFileSync('node_modules/bun/package.json', 'utf8'))
  const folder = join('node_modules', '.cache', 'agent-chat-bun', `${name}-${version}`)
  const file = join(folder, 'package', 'bin', 'bun')
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    const pack = ['pack', `@oven/${name}@${version}`, '--pack-destination', folder, '--silent']
    const tarball = execFileSync('npm', pack, { encoding: 'utf8' }).trim()
    execFileSync('tar', ['-xzf', join(folder, tarball), '-C', folder])
  }
  return file
}
