import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The name in `dist/` of a module under `src/`: `bus/inbox.ts` is `bus-inbox`. */
export function entryName(path: string): string {
  return relative('src', path).replace(/\.ts$/, '').replaceAll('/', '-')
}

/** Every module under `src/` that some other imports lazily, by the name of its file in `dist/`: `bus/inbox.ts` is `bus-inbox`. */
export function lazyEntries(): Record<string, string> {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  )
  const lazy = sources.flatMap((file) => {
    const text = readFileSync(join('src', file), 'utf8')
    return [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map((match) =>
      join('src', dirname(file), match[1] ?? ''),
    )
  })
  return Object.fromEntries(lazy.map((path) => [entryName(path), path]))
}
