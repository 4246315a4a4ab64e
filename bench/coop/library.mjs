import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'tsup'

/** Puts our hooks, and a session that claims, into a directory, as one file each. @param {string} directory */
export async function buildLibrary(directory) {
  const entry = Object.fromEntries(
    ['hooks', 'racer'].map((name) => [name, join(import.meta.dirname, `${name}.ts`)]),
  )
  await build({
    config: false,
    entry,
    outDir: directory,
    format: ['cjs'],
    target: 'node20',
    silent: true,
    splitting: false,
  })
}

/** Our hooks as this process loads them from there. @param {string} directory @returns {typeof import('./hooks.ts')} */
export function loadHooks(directory) {
  return createRequire(import.meta.url)(join(directory, 'hooks.js'))
}
