import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * One part of the tests: its name, what Node runs for it, and whether that is Vitest, which then
 * counts its tests and writes a report. `mayFail`: a text that begins its output where it passed, but
 * learned nothing.
 * @typedef {{ name: string, args: string[], vitest?: boolean, env?: Record<string, string>, mayFail?: string }} Group
 *
 * How it went. `ran`: the titles of the tests that ran; `open`: it passed, and learned nothing.
 * @typedef {{ name: string, passed: number, failed: string[], ran: string[], open: boolean }} Done
 */

/**
 * Runs a group, and prints one line about it; what it printed itself only where it failed.
 * @param {Group} group
 * @param {string} reports a directory for reports
 * @returns {Promise<Done>}
 */
export async function runGroup(group, reports) {
  const report = join(reports, `${group.name.replaceAll(/\W+/g, '-')}.json`)
  const flags = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const began = performance.now()
  const { status, output } = await heard([...group.args, ...(group.vitest ? flags : [])], group.env)
  const seconds = Math.round((performance.now() - began) / 1000)
  const told = group.vitest ? countReport(report) : { passed: 0, failed: [], ran: [] }
  const open = status === 0 && group.mayFail !== undefined && output.startsWith(group.mayFail)
  const failed = status !== 0 && told.failed.length === 0 ? [group.name] : told.failed
  const passed = told.passed + (!group.vitest && status === 0 && !open ? 1 : 0)
  if (status !== 0) console.log(`\n${output}`)
  const count = group.vitest ? `, ${passed.toLocaleString('en')} tests` : ''
  const how = status !== 0 ? 'FAILED' : open ? 'not answered' : 'passed'
  console.log(`${group.name.padEnd(44)} ${how.padEnd(12)} ${String(seconds).padStart(4)} s${count}`)
  return { name: group.name, passed, failed, ran: told.ran, open }
}

/** @param {string[]} args @param {Record<string, string>} env @returns {Promise<{ status: number | null, output: string }>} */
function heard(args, env = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...cleanEnv(), ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, output }))
  })
}

/** What a report of Vitest tells. @param {string} path */
function countReport(path) {
  let report
  try {
    report = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { passed: 0, failed: [], ran: [] }
  }
  /** @type {{ file: string, fullName: string, status: string }[]} */
  const tests = report.testResults.flatMap(
    (/** @type {{ name: string, assertionResults: object[] }} */ { name, assertionResults }) =>
      assertionResults.map((test) => ({ ...test, file: relative(process.cwd(), name) })),
  )
  const named = (/** @type {string} */ wanted) =>
    tests.flatMap(({ file, fullName, status }) =>
      status === wanted ? [`${file} > ${fullName}`] : [],
    )
  const broken = report.testResults.flatMap(
    (/** @type {{ name: string, status: string, assertionResults: object[] }} */ one) =>
      one.status === 'failed' && one.assertionResults.length === 0
        ? [relative(process.cwd(), one.name)]
        : [],
  )
  return {
    passed: report.numPassedTests,
    failed: [...named('failed'), ...broken],
    ran: [...named('passed'), ...named('failed')],
  }
}

/** A session that runs these tests must not name itself to what is tested. */
function cleanEnv() {
  const drop = /^(AGENT_CHAT_|CLAUDE|TMUX|AI_AGENT$|NODE_EXTRA_CA_CERTS$)/
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !drop.test(key)))
}
