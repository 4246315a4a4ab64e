// A reporter of Vitest: a line of JSON as each file begins, and one as it ends, in the file that
// TEST_REPORT names. What a run that was cut has written can be read all the same.
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * A test that has failed. `error` is the first line of its first error; `waited` where it waited in
 * vain; `whole` all that is known of it.
 * @typedef {{ title: string, error: string, waited: boolean, whole: string }} Failure
 *
 * How a file went. `skipped`: why tests were left out, one text each.
 * @typedef {{ ends: string, ms: number, titles: string[], failed: Failure[], skipped: string[], slow: string[] }} Ended
 */

/** What a wait in vain says: the harness' own words, and the time-outs of Vitest. */
const IN_VAIN = /^(\w*Error: )?(waited \d+ ms in vain|(Test|Hook) timed out in \d+ ?ms)/

/** Text that a test prints about a wait that was long, though not in vain. */
const SLOW = /^slow: .+/gm

// biome-ignore lint/style/noDefaultExport: Vitest takes a reporter from the default export
export default class Reporter {
  /** @type {Map<string, string[]>} */
  #slow = new Map()

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleQueued(module) {
    write({ begins: fileOf(module.moduleId) })
  }

  /** @param {import('vitest').UserConsoleLog} log */
  onUserConsoleLog({ content, taskId = '' }) {
    // A task's id begins with its file's.
    const id = taskId.split('_')[0] ?? ''
    const told = content.match(SLOW) ?? []
    this.#slow.set(id, [...(this.#slow.get(id) ?? []), ...told])
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    const tests = [...module.children.allTests()]
    const suites = [module, ...module.children.allSuites()]
    const ofSuites = suites.flatMap((suite) =>
      suite.errors().length > 0
        ? [failure('fullName' in suite ? suite.fullName : 'the whole file', suite.errors())]
        : [],
    )
    const ofTests = tests.flatMap((test) => {
      const result = test.result()
      return result.state === 'failed' ? [failure(test.fullName, result.errors)] : []
    })
    write({
      ends: fileOf(module.moduleId),
      ms: Math.round(module.diagnostic().duration),
      titles: tests.filter((test) => test.result().state === 'passed').map((test) => test.fullName),
      failed: [...ofSuites, ...ofTests],
      skipped: tests.flatMap((test) => {
        const result = test.result()
        return result.state === 'skipped' ? [result.note ?? whyOf(test)] : []
      }),
      slow: this.#slow.get(module.id.split('_')[0] ?? '') ?? [],
    })
  }

  /** @param {unknown} _ @param {readonly import('vitest').SerializedError[]} errors */
  onTestRunEnd(_, errors) {
    for (const error of errors) write({ unhandled: failure('outside of any test', [error]) })
  }
}

/** Why a test was left out, as it says itself or the group that it is in. @param {import('vitest/node').TestCase} test */
function whyOf(test) {
  /** @type {import('vitest/node').TestCase | import('vitest/node').TestSuite | import('vitest/node').TestModule} */
  let at = test
  while (at.type !== 'module') {
    const { why } = /** @type {{ why?: string }} */ (at.meta())
    if (why !== undefined) return why
    at = at.parent
  }
  return 'no reason'
}

/** @param {string} title @param {readonly import('vitest').SerializedError[]} errors @returns {Failure} */
function failure(title, errors) {
  const all = errors.map(({ name, message, diff, stack }) =>
    stripVTControlCharacters(
      [`${name ?? 'Error'}: ${message}`, diff ?? '', stack ?? ''].join('\n').trim(),
    ),
  )
  const first = all[0] ?? 'no error is known'
  const error = first.split('\n', 1)[0] ?? ''
  return { title, error, waited: IN_VAIN.test(error), whole: all.join('\n\n') }
}

/** @param {string} path */
function fileOf(path) {
  return relative(process.cwd(), path)
}

/** @param {object} line */
function write(line) {
  appendFileSync(process.env.TEST_REPORT ?? '', `${JSON.stringify(line)}\n`)
}
