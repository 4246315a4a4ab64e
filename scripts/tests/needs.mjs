import { readdirSync } from 'node:fs'
import { runGroup } from './group.mjs'

/**
 * What tests start that not every machine has, or can get: its name, and which files need it.
 * @type {{ name: string, isFor: (file: string) => boolean }[]}
 */
export const NEEDS = [
  {
    name: 'Claude Code',
    isFor: (file) => /^test\/e2e\/(?!web\/)|^test\/e2e\/web\/tokens/.test(file),
  },
  { name: 'Codex', isFor: (file) => file.startsWith('test/e2e/agents/') },
  { name: 'Chromium', isFor: (file) => file.startsWith('test/e2e/web/') },
  { name: 'nats-server', isFor: (file) => file.startsWith('test/links/nats') },
  { name: 'sshd', isFor: (file) => file === 'test/links/ssh.test.ts' },
  { name: 'the conformance suite', isFor: (file) => file.startsWith('test/mcp/conformance') },
]

/** What is not here, as the runner has found out. */
const MISSING = (process.env.TEST_LEFT_OUT ?? '').split(', ').filter((name) => name !== '')

/** Whether what a test file needs is here. @param {string} file from the root of the project */
export function canRun(file) {
  return !NEEDS.some(({ name, isFor }) => MISSING.includes(name) && isFor(file))
}

/**
 * What of these lanes is left out, a line each: what is missing, why, and how many cases that are.
 * @param {{ args: string[] }[]} lanes @param {Map<string, string>} missing
 */
export async function leftOut(lanes, missing) {
  /** @type {string[]} */
  const told = []
  for (const [name, why] of missing) {
    let cases = 0
    const files = NEEDS.filter((need) => need.name === name).flatMap(({ isFor }) =>
      testFiles().filter(isFor),
    )
    for (const { args } of lanes) {
      const list = args.map((arg) => (arg === 'run' ? 'list' : arg))
      const { output } = await runGroup([...list, ...files, '--json'], { limitMs: 120_000 })
      cases += (output.match(/^ {4}"name":/gm) ?? []).length
    }
    told.push(`${name}: ${why}; ${cases} cases`)
  }
  return told
}

function testFiles() {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file}`)
    .filter((file) => file.endsWith('.test.ts'))
}
