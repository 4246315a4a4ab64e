import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

const ENTRY = fileURLToPath(new URL('./library.ts', import.meta.url))

/**
 * Builds the part of the bus that sends, as one file; gives its path.
 * @param {string} directory
 */
export async function buildLibrary(directory) {
  const outDir = join(directory, 'library')
  const entry = { library: ENTRY }
  await build({
    config: false,
    entry,
    outDir,
    format: ['cjs'],
    target: 'node20',
    minify: true,
    silent: true,
  })
  return join(outDir, 'library.js')
}
