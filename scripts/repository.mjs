// npm run repository -- <owner>/<name> [homepage]: writes where the repository is, which only its owner knows, to every file that says so.
import { readFileSync, writeFileSync } from 'node:fs'

const [name = '', given] = process.argv.slice(2)
if (!/^[\w.-]+\/[\w.-]+$/.test(name) || !/^(https:\/\/[^\s"\\]+)?$/.test(given ?? '')) {
  console.error('for example: npm run repository -- somebody/agent-chat https://agent-chat.example')
  process.exit(2)
}
const url = `https://github.com/${name}`
const homepage = given ?? url

const npm = `{\n    "type": "git",\n    "url": "git+${url}.git"\n  }`
change('package.json', fields(npm))
for (const plugin of ['.claude-plugin/plugin.json', 'room/.claude-plugin/plugin.json'])
  change(plugin, fields(`"${url}"`))
change('packaging/agent-chat.rb', (text) =>
  text.replace(/^( {2}homepage )".*"$/m, `$1"${homepage}"`),
)

/** Both fields in front of the licence, where a manifest has one; those that were there go. @param {string} repository */
function fields(repository) {
  return (/** @type {string} */ text) =>
    text
      .replaceAll(/^ {2}"(?:homepage|repository)": (?:"[^"]*"|\{[^}]*\}),\n/gm, '')
      .replace(
        /^ {2}"license"/m,
        `  "homepage": "${homepage}",\n  "repository": ${repository},\n$&`,
      )
}

/** @param {string} path @param {(text: string) => string} edit */
function change(path, edit) {
  const before = readFileSync(path, 'utf8')
  const after = edit(before)
  if (!after.includes(`"${homepage}"`)) throw new Error(`${path} has no place for it`)
  writeFileSync(path, after)
}
