import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Where the tests keep what they install once a machine. */
export function cacheDirectory() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'agent-chat')
}

/**
 * The folder of the cache that holds these packages, installed by npm where it is not there yet.
 * Safe to call from several processes at once: each installs aside, and the first rename wins.
 * Throws when npm fails.
 * @param {string} folder its name, which has the versions in it
 * @param {string[]} packages as npm names them, each with its version
 * @param {string[]} flags for npm
 */
export async function ensureCached(folder, packages, flags = []) {
  const target = join(cacheDirectory(), folder)
  if (existsSync(target)) return target
  mkdirSync(cacheDirectory(), { recursive: true })
  const aside = mkdtempSync(`${target}.installing-`)
  try {
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
    const args = ['install', ...quiet, ...flags, '--prefix', aside, ...packages]
    await promisify(execFile)('npm', args, { cwd: aside })
    renameAside(aside, target)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  return target
}

/** @param {string} aside @param {string} target */
function renameAside(aside, target) {
  try {
    renameSync(aside, target)
  } catch (error) {
    // Another process was faster: its copy is as good as ours.
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}
