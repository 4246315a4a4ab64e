// npm run nodes: the tests on every Node that people have. All that start no process, and of those
// that start the program the files below; -- --all runs these all, -- --only 22 one version.
// The npm package `node` brings the binaries, into the cache of the tests.
import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureCached } from './tests/cache.mjs'

/** The oldest that `engines` allows, and the newest of each line that is maintained. */
const VERSIONS = ['20.19.0', '22', '24']
/** A command, a hook, the loader, a lock, a watcher in tmux, the MCP server and the page, once each. */
const SMOKE = [
  'src/boot',
  'src/cli/commands/send.test.ts',
  'src/cli/commands/inbox.test.ts',
  'src/cli/commands/ask.test.ts',
  'src/hooks/hooks.test.ts',
  'src/hooks/turns.long.test.ts',
  'src/bus/mail/crash.test.ts',
  'src/system/locks.test.ts',
  'test/cli/open-files.test.ts',
  'test/tmux/watcher.test.ts',
  'test/mcp/first.test.ts',
  'test/web/acts.test.ts',
]
const VITEST = join('node_modules', 'vitest', 'vitest.mjs')

const { values } = parseArgs({ options: { all: { type: 'boolean' }, only: { type: 'string' } } })
const failed = []
for (const version of VERSIONS) {
  if (values.only !== undefined && !version.startsWith(values.only)) continue
  const node = await nodeOf(version)
  const pure = run(node, ['--project', 'pure*'])
  const program = ['--project', 'process', '--project', 'long']
  const smoke = run(node, [...program, ...(values.all ? [] : SMOKE)])
  const how = pure && smoke ? 'passed' : 'FAILED'
  console.log(`== Node ${spawnSync(node, ['-v'], { encoding: 'utf8' }).stdout.trim()}: ${how}`)
  if (how === 'FAILED') failed.push(version)
}
process.exitCode = failed.length === 0 ? 0 : 1

/** Runs Vitest on a Node, which is also the `node` that tests find. @param {string} node @param {string[]} args */
function run(node, args) {
  const path = `${dirname(node)}${delimiter}${process.env.PATH}`
  // npm may need it to install a Node; no test does.
  const { NODE_EXTRA_CA_CERTS: _, ...others } = process.env
  const { status } = spawnSync(node, [VITEST, 'run', '--maxWorkers=2', ...args], {
    stdio: 'inherit',
    env: { ...others, PATH: path, FUZZ_SEED: '1', FUZZ_RUNS: '0.1' },
  })
  return status === 0
}

/** The path of a Node of this version, installed where it is not there yet. @param {string} version */
async function nodeOf(version) {
  const folder = await ensureCached(`node-${version}`, [`node@${version}`])
  return join(folder, 'node_modules', 'node', 'bin', 'node')
}
