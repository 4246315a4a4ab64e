import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PLACES = [
  process.env.AGENT_CHAT_E2E_CHROMIUM ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const PACKAGE = 'chromium-headless-shell'

/** A Chromium of this machine, installed where Debian's packages can be had; else why there is none. */
export function findChromium(): { path: string } | { why: string } {
  const path = () => PLACES.find((place) => place !== '' && existsSync(place))
  const found = path() ?? (install() ? path() : undefined)
  if (found !== undefined) return { path: found }
  return {
    why: `no Chromium: install one (apt-get install ${PACKAGE}), or name it in AGENT_CHAT_E2E_CHROMIUM`,
  }
}

function install(): boolean {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).error) return false
  console.log(`missing: Chromium; trying apt-get install ${PACKAGE}`)
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    }).status === 0
  const packages = ['--no-install-recommends', PACKAGE, 'fonts-dejavu-core']
  return (
    apt('install', '-y', '-qq', ...packages) ||
    (apt('update', '-qq') && apt('install', '-y', '-qq', ...packages))
  )
}
