// npm run evidence: measures again what the pages of docs/evidence say, and has each name its commit.
//   npm run evidence -- chaos web     these pages
//   npm run evidence -- --older       lists the pages that are older than the source they speak of
// All of it takes a day, on a machine that does nothing else: docs/dev/releasing.md says when.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * A page, the scripts of package.json that write it, and the source that it speaks of.
 * @type {Record<string, { scripts: string[], of: string[] }>}
 */
export const PAGES = {
  agents: { scripts: ['e2e:agents'], of: ['src', 'hosts', 'test/e2e/agents'] },
  bridge: { scripts: ['links -- nats'], of: ['src/link', 'src/bus', 'test/links'] },
  chaos: { scripts: ['chaos -- --write'], of: ['src', 'chaos'] },
  cooperation: {
    scripts: ['bench:coop -- --write'],
    of: ['src/changes', 'src/hooks', 'bench/coop'],
  },
  delivery: { scripts: ['e2e'], of: ['src', 'test/e2e/delivery'] },
  'first-hour': {
    scripts: ['first-hour -- --write'],
    of: ['src', 'bin', 'scripts/first-hour.mjs'],
  },
  gate: { scripts: ['e2e -- gate/cases'], of: ['src/trust', 'src/hooks', 'test/e2e/gate'] },
  links: { scripts: ['links'], of: ['src/link', 'src/bus', 'test/links'] },
  mcp: {
    scripts: ['bench:mcp -- --write', 'soak:mcp -- --write', 'fuzz:mcp'],
    of: ['src/mcp', 'src/chat', 'test/mcp'],
  },
  'mcp-outside': { scripts: ['outside:mcp -- --write'], of: ['src/mcp', 'test/mcp'] },
  native: {
    scripts: ['build:native', 'bench:native -- --write', 'proof:native'],
    of: ['src', 'bin'],
  },
  performance: { scripts: ['bench -- --write'], of: ['src', 'bench'] },
  room: { scripts: ['e2e:room -- --write'], of: ['src/mod', 'room', 'test/e2e/room'] },
  soak: { scripts: ['soak -- --write'], of: ['src', 'test/soak'] },
  trust: {
    scripts: ['evidence:trust', 'evidence:trust -- --busy'],
    of: ['src/trust', 'src/hooks', 'src/mod', 'test/e2e/trust'],
  },
  wakes: {
    scripts: ['evidence:wakes'],
    of: ['src/doorbell', 'src/session', 'src/hooks', 'test/e2e/wakes'],
  },
  web: { scripts: ['web'], of: ['src/web', 'scripts/web.mjs'] },
  workers: { scripts: ['soak:workers -- --write'], of: ['src/worker', 'src/chat', 'test/soak'] },
}

const ROOT = join(import.meta.dirname, '..')
/** The line that names the commit; a program that writes its whole page again leaves it out. */
export const STAMP = /^Measured at commit `([0-9a-f]{7,40})`\.$/m

/**
 * What `npm test` prints: each page of which the source has changed since its commit, and why that
 * is not known of the others.
 * @returns {string[]}
 */
function olderPages() {
  return Object.entries(PAGES).flatMap(([name, { of }]) => {
    const commit = STAMP.exec(readFileSync(pathOf(name), 'utf8'))?.[1]
    if (commit === undefined) return [`${name} names no commit`]
    const since = git('log', '--format=%h', `${commit}..HEAD`, '--', ...of, ':!*.test.ts')
    if (since === undefined) return [`${name} is of ${commit}, which this clone does not have`]
    const count = since.split('\n').filter(Boolean).length
    return count === 0 ? [] : [`${name} (${count} commits)`]
  })
}

/** @param {string} name */
function pathOf(name) {
  return join(ROOT, 'docs', 'evidence', `${name}.md`)
}

/** What git prints; undefined where it fails. @param {string[]} args */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

/** Measures a page again; whether all went well. @param {string} name */
function measure(name) {
  for (const script of PAGES[name]?.scripts ?? []) {
    console.log(`\n== ${name}: npm run ${script}`)
    const env = { ...process.env, ...(script.startsWith('links') ? { LINKS_WRITE: '1' } : {}) }
    const { status } = spawnSync('npm', ['run', ...script.split(' ')], {
      cwd: ROOT,
      env,
      stdio: 'inherit',
    })
    if (status !== 0) return false
  }
  stamp(name)
  return true
}

/** Has a page name the commit that it was measured at. @param {string} name */
export function stamp(name) {
  const text = readFileSync(pathOf(name), 'utf8').replace(STAMP, '').trimEnd()
  const commit = git('rev-parse', '--short', 'HEAD')?.trim()
  writeFileSync(pathOf(name), `${text}\n\nMeasured at commit \`${commit}\`.\n`)
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    options: { older: { type: 'boolean' } },
    allowPositionals: true,
  })
  const unknown = positionals.filter((name) => !Object.hasOwn(PAGES, name))
  if (unknown.length > 0) {
    console.error(`no page ${unknown.join(', ')}; there are: ${Object.keys(PAGES).join(', ')}`)
    process.exitCode = 2
  } else if (values.older) for (const line of olderPages()) console.log(line)
  else {
    const wanted = positionals.length > 0 ? positionals : Object.keys(PAGES)
    const failed = wanted.filter((name) => !measure(name))
    if (failed.length > 0) console.error(`not measured: ${failed.join(', ')}`)
    process.exitCode = failed.length === 0 ? 0 : 1
  }
}
