// Makes the packages of a release in native/packages: ours, with those of its platforms as optional dependencies, as npm publishes them,
// and SHA256SUMS of all. Builds what it is told: npm run pack:native -- linux-x64 linux-arm64; without words, for this machine.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { HERE } from './platforms.mjs'

const OUT = resolve('native', 'packages')
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const { name, version, license, author } = manifest
const platforms = process.argv.length > 2 ? process.argv.slice(2) : [HERE]

rmSync(OUT, { recursive: true, force: true })
const other = platforms.filter((platform) => !existsSync(programOf(platform)))
if (other.length > 0) run(process.execPath, ['scripts/native.mjs', ...other])
const made = [packOurs(), ...platforms.map(packPlatform)]
const sums = made.map((file) => `${sumOf(join(OUT, file))}  ${file}\n`)
writeFileSync(join(OUT, 'SHA256SUMS'), sums.join(''))
copyFileSync('packaging/install.sh', join(OUT, 'install.sh'))
console.log(sums.join('').trimEnd())

/** @param {string} platform */
function programOf(platform) {
  return join('native', platform === HERE ? '' : platform, 'agent-chat')
}

/** The manifest in the repository has none of these: whoever installs the plugin would have npm run. */
function packOurs() {
  const folder = join(OUT, name)
  mkdirSync(folder, { recursive: true })
  const [{ files }] = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']))
  for (const { path } of files) cpSync(path, join(folder, path))
  const names = platforms.map((platform) => [`${name}-${platform}`, version])
  const { devDependencies: _, ...rest } = manifest
  return pack(folder, { ...rest, scripts: {}, optionalDependencies: Object.fromEntries(names) })
}

/** @param {string} platform */
function packPlatform(platform) {
  const folder = join(OUT, `${name}-${platform}`)
  const [os, cpu] = platform.split('-')
  mkdirSync(join(folder, 'bin'), { recursive: true })
  // Its name has the version, so that no other version of agent-chat runs it.
  linkSync(programOf(platform), join(folder, 'bin', `${name}-${version}`))
  const libc = os === 'linux' ? { libc: ['glibc'] } : {}
  const description = `The native program of ${name} for ${platform}.`
  return pack(folder, {
    ...{ name: `${name}-${platform}`, version, description, license, author },
    ...{ os: [os], cpu: [cpu], ...libc, preferUnplugged: true },
  })
}

/** @param {string} folder @param {object} what @returns {string} the tarball's name */
function pack(folder, what) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(what, undefined, 2)}\n`)
  const args = ['pack', folder, '--pack-destination', OUT, '--ignore-scripts', '--json']
  const [{ filename }] = JSON.parse(run('npm', args))
  rmSync(folder, { recursive: true })
  return filename
}

/** @param {string} file */
function sumOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** @param {string} program @param {string[]} args */
function run(program, args) {
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 26,
  })
}
