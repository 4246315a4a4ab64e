import { createRequire } from 'node:module'

/**
 * What `library.ts` exports, as it was built.
 * @param {string} file
 * @returns {typeof import('./library.ts')}
 */
export function loadLibrary(file) {
  return createRequire(import.meta.url)(file)
}
