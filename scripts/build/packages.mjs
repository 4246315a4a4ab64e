import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A package in the bundle: its licence by its own word (SPDX), that licence's text, and how many bytes of `dist/` are its, in how many files.
 * @typedef {{ name: string, version: string, licence: string, text: string, bytes: number, files: number }} Bundled
 * @typedef {{ outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> }} Metafile
 */

const FILE = 'LICENSES.txt'

/**
 * Writes `LICENSES.txt` beside the programs: every package whose code they hold, with its licence, as those licences ask for. A build fails for a
 * package that brings no licence.
 * @returns {import('./plugins.mts').Plugin}
 */
export function packages() {
  return {
    name: 'packages',
    setup(build) {
      build.initialOptions.metafile = true
      build.onEnd(async ({ metafile }) => {
        if (metafile === undefined) return
        const text = bundledIn(metafile).map(
          ({ name, version, licence, text }) =>
            `${name} ${version} (${licence})\n\n${text.trim().replaceAll('\r\n', '\n')}\n`,
        )
        await writeFile(
          join(build.initialOptions.outdir ?? 'dist', FILE),
          `${HEAD}\n${text.join(`\n${'-'.repeat(80)}\n\n`)}`,
        )
      })
    },
  }
}

const HEAD = 'The programs in this directory hold code of these packages, under these licences.\n'

/**
 * Every package with a byte in the output, by name.
 * @param {Metafile} metafile
 * @returns {Bundled[]}
 */
export function bundledIn({ outputs }) {
  /** @type {Map<string, { bytes: number, files: Set<string> }>} */
  const found = new Map()
  for (const [file, { inputs }] of Object.entries(outputs)) {
    for (const [input, { bytesInOutput: bytes }] of Object.entries(inputs)) {
      const directory = /^(?:[\w-]+:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
      if (directory === undefined || bytes === 0) continue
      const one = found.get(directory) ?? { bytes: 0, files: new Set() }
      found.set(directory, { bytes: one.bytes + bytes, files: one.files.add(file) })
    }
  }
  return [...found]
    .map(([directory, { bytes, files }]) => ({ ...licenceOf(directory), bytes, files: files.size }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * @param {string} directory
 * @returns {Pick<Bundled, 'name' | 'version' | 'licence' | 'text'>}
 */
function licenceOf(directory) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  )
  const file = readdirSync(directory).find((one) => /^(licen[cs]e|copying)/i.test(one))
  if (file !== undefined && typeof license === 'string')
    return { name, version, licence: license, text: readFileSync(join(directory, file), 'utf8') }
  // One package of a repository with many says only that it is under this licence, and by whom.
  if (license !== 'MIT' || typeof author !== 'string')
    throw new Error(`${name} brings no licence: see ${directory}`)
  return { name, version, licence: license, text: `Copyright (c) ${author}\n\n${mitText()}` }
}

/** What every MIT licence says under its line of copyright: this project's own says it too. */
function mitText() {
  const text = readFileSync('LICENSE', 'utf8')
  return text.slice(text.indexOf('Permission is hereby granted'))
}
