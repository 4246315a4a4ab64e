// Fails when dist/ is not what a fresh build of this tree gives: an installation runs dist/ as it was committed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The mod of the second plugin has a folder of its own. */
const MOD = 'room.js'
const fresh = mkdtempSync(join(tmpdir(), 'agent-chat-dist-'))
try {
  const tsup = join('node_modules', 'tsup', 'dist', 'cli-default.js')
  const build = spawnSync(process.execPath, [tsup, '--out-dir', fresh, '--silent'], {
    stdio: 'inherit',
  })
  if (build.status !== 0) process.exit(1)
  const names = new Set([...readdirSync(fresh), ...readdirSync('dist'), MOD])
  const different = [...names].filter(
    (name) => read(join(fresh, name)) !== read(join(name === MOD ? 'room/hooks' : 'dist', name)),
  )
  if (different.length > 0) {
    console.error(
      `dist/ differs from a fresh build in ${different.join(', ')}: run npm run build, and commit dist/ with the code`,
    )
    process.exitCode = 1
  } else console.log(`dist/ equals a fresh build (${names.size} files)`)
} finally {
  rmSync(fresh, { recursive: true, force: true })
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
