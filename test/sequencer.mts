import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * One order of the files wherever the tests run, and whatever an earlier run has kept: the long ones
 * first, so that none is left over at the end, and each kind by path. `TEST_ORDER=<any word>` makes
 * another order from that word: no test may depend on the files before it.
 */
export class ByPath extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { TEST_ORDER: word } = process.env
    const key = ({ moduleId }: TestSpecification) =>
      word === undefined
        ? `${/\.long\.test\.\w+$/.test(moduleId) ? 0 : 1}${moduleId}`
        : createHash('sha1').update(`${word} ${moduleId}`).digest('hex')
    return files.sort((a, b) => (key(a) < key(b) ? -1 : 1))
  }
}
