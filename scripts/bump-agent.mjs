// Moves the tests of another agent to another version: `npm run bump-agent opencode [version]`, the latest by default.
// Rewrites its pin, then runs that agent's end-to-end test, which installs that version into the cache and drives it.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const file = fileURLToPath(new URL('../test/e2e/agents/versions.json', import.meta.url))

const before = readFileSync(file, 'utf8')
const pins = JSON.parse(before)
const [name = '', asked = 'latest'] = process.argv.slice(2)
if (!Object.hasOwn(pins, name))
  fail(2, `no version of "${name}" is pinned`, `name one of ${Object.keys(pins).join(', ')}`)
const { package: pkg } = pins[name]
const version = viewed(`${pkg}@${asked}`)
if (!/^\d+\.\d+\.\d+$/.test(version))
  fail(2, `${asked} names no one version of ${pkg}`, `npm view ${pkg} versions`)

const lines = Object.entries({ ...pins, [name]: { package: pkg, version } }).map(
  ([key, pin]) => `  "${key}": { "package": "${pin.package}", "version": "${pin.version}" }`,
)
writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
process.stdout.write(`pinned ${pkg} ${version}; installing and trying it\n`)
const args = ['run', 'e2e:agents', '--', '--agent', name, '--runs', '1']
const { status } = spawnSync('npm', args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FORCE_COLOR: '0' },
})
if (status !== 0) {
  writeFileSync(file, before)
  fail(1, `${name} ${version} fails a case; the pin is as it was`, 'read the screens above')
}
process.stdout.write(`now set versions.tested of src/agents/${name}.ts to ${version}\n`)

/**
 * @param {number} exit
 * @param {string} what
 * @param {string} hint
 */
function fail(exit, what, hint) {
  process.stderr.write(`bump-agent: ${what}\n  hint: ${hint}\n`)
  process.exit(exit)
}

/** @param {string} spec */
function viewed(spec) {
  try {
    return execFileSync('npm', ['view', spec, 'version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}
