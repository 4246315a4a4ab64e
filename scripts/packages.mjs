// The packages that the programs hold: version, licence, size in dist/, and how they are kept. `--write` puts the table into docs/dev/decisions/0003-dependencies.md.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledIn } from './build/packages.mjs'

const PAGE = 'docs/dev/decisions/0003-dependencies.md'
const BEGIN = '<!-- packages: begin -->'
const END = '<!-- packages: end -->'

const fresh = mkdtempSync(join(tmpdir(), 'agent-chat-packages-'))
try {
  const tsup = join('node_modules', 'tsup', 'dist', 'cli-default.js')
  const build = spawnSync(process.execPath, [tsup, '--out-dir', fresh, '--metafile', '--silent'], {
    stdio: 'inherit',
  })
  if (build.status !== 0) process.exit(1)
  const table = tableOf(
    bundledIn(JSON.parse(readFileSync(join(fresh, 'metafile-cjs.json'), 'utf8'))),
  )
  console.log(table)
  if (process.argv.includes('--write')) write(table)
} finally {
  rmSync(fresh, { recursive: true, force: true })
}

/** @param {import('./build/packages.mjs').Bundled[]} packages */
function tableOf(packages) {
  const rows = packages.map(({ name, version, licence, bytes, files }) => {
    const { newest, released, maintainers } = keptHow(name)
    const size = `${(bytes / 1024).toFixed(1)} KB in ${files} ${files === 1 ? 'file' : 'files'}`
    return `| ${name} | ${version} | ${licence} | ${size} | ${newest} | ${released} | ${maintainers} |`
  })
  const day = new Date().toISOString().slice(0, 10)
  const head = `As of ${day}, by \`npm run packages\`; a size is that of all copies together.`
  return [
    head,
    '',
    '| package | version | licence | in `dist/` | newest | released | maintainers |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

/**
 * What the registry says of a package: its newest version, the day of that, and how many may release one.
 * @param {string} name
 */
function keptHow(name) {
  const { stdout } = spawnSync(
    'npm',
    ['view', name, 'dist-tags.latest', 'time', 'maintainers', '--json'],
    {
      encoding: 'utf8',
    },
  )
  try {
    const { 'dist-tags.latest': newest, time, maintainers } = JSON.parse(stdout)
    return {
      newest,
      released: String(time[newest]).slice(0, 10),
      maintainers: [maintainers].flat().length,
    }
  } catch {
    return { newest: 'not known', released: '', maintainers: '' }
  }
}

/** @param {string} table */
function write(table) {
  const [before, rest] = readFileSync(PAGE, 'utf8').split(BEGIN)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`${PAGE} has no ${BEGIN} … ${END}`)
  writeFileSync(PAGE, `${before}${BEGIN}\n${table}\n${END}${after}`)
}
