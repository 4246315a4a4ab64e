// Compiles every program into one executable with Bun, with files of dist/ as they are (npm run build comes first): native/agent-chat for this machine, and with names of platforms native/<platform>/agent-chat.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bunOf, HERE, PLATFORMS } from './native/platforms.mjs'

const OUT = 'native'
const tsup = join('node_modules', 'tsup', 'dist', 'cli-default.js')
const asked = process.argv.slice(2)
for (const platform of asked)
  if (!PLATFORMS.includes(platform)) {
    console.error(`no platform ${platform}; there are: ${PLATFORMS.join(', ')}`)
    process.exit(2)
  }

execFileSync(process.execPath, [tsup, '--config', 'tsup.native.config.mts'], { stdio: 'inherit' })
for (const platform of asked.length > 0 ? asked : [undefined]) {
  const folder = platform === undefined ? OUT : join(OUT, platform)
  mkdirSync(folder, { recursive: true })
  compile(join(folder, 'agent-chat'), platform)
}

/** @param {string} file @param {string | undefined} platform */
function compile(file, platform) {
  const fresh = `${file}.new`
  const other =
    platform === undefined || platform === HERE
      ? []
      : [`--target=bun-${platform}`, `--compile-executable-path=${bunOf(platform)}`]
  // A program that is compiled by Bun reads settings of the directory that it is run in, unless it is told not to.
  const sealed = ['dotenv', 'bunfig', 'tsconfig', 'package-json'].map(
    (file) => `--no-compile-autoload-${file}`,
  )
  const what = ['build', '--compile', '--bytecode', ...sealed, ...other]
  execFileSync(bunOf(HERE), [...what, join(OUT, 'native.js'), '--outfile', fresh], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(file, { force: true })
  renameSync(fresh, file)
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex')
  writeFileSync(`${file}.sha256`, `${sum}  agent-chat\n`)
  console.log(`made ${file}`)
}
