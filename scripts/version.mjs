// Runs within `npm version`: the version of package.json goes to where else it has to stand, and dist/ is built with it.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const PLUGINS = ['.claude-plugin/plugin.json', 'room/.claude-plugin/plugin.json']
const FORMULA = 'packaging/agent-chat.rb'
/** What holds the version in a line of its own. */
const SCRIPTS = ['bin/agent-chat', 'packaging/install.sh']
const CHANGES = 'CHANGELOG.md'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
for (const plugin of PLUGINS) change(plugin, /("version": ")[^"]+(")/, `$1${version}$2`)
change(
  FORMULA,
  /(agent-chat(?:-(?:linux|darwin)-(?:x64|arm64))?-)\d[^"/]*(\.tgz")/g,
  `$1${version}$2`,
)
for (const script of SCRIPTS) change(script, /^version=.*$/m, `version=${version}`)
change(CHANGES, /^## Unreleased$/m, `## ${version}, ${new Date().toISOString().slice(0, 10)}`)
run(process.execPath, 'node_modules/tsup/dist/cli-default.js', '--silent')
run('git', 'add', ...PLUGINS, FORMULA, ...SCRIPTS, CHANGES, 'dist')

/** @param {string} path @param {RegExp} pattern @param {string} text */
function change(path, pattern, text) {
  const before = readFileSync(path, 'utf8')
  if (!pattern.test(before)) throw new Error(`${path}: nothing there matches ${pattern}`)
  writeFileSync(path, before.replace(pattern, text))
}

/** @param {string} program @param {string[]} args */
function run(program, ...args) {
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${program} ${args[0]} ended with ${status}`)
}
