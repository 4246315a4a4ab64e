// Runs within `npm version`: the version of package.json goes to where else it has to stand, and dist/ is built with it.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const PLUGIN = '.claude-plugin/plugin.json'
const FORMULA = 'packaging/agent-chat.rb'
const CHANGES = 'CHANGELOG.md'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
change(PLUGIN, /("version": ")[^"]+(")/, `$1${version}$2`)
change(FORMULA, /(agent-chat-)[^"/]+(\.tgz")/, `$1${version}$2`)
change(CHANGES, /^## Unreleased$/m, `## ${version}, ${new Date().toISOString().slice(0, 10)}`)
run(process.execPath, 'node_modules/tsup/dist/cli-default.js', '--silent')
run('git', 'add', PLUGIN, FORMULA, CHANGES, 'dist')

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
