import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * One order of the files wherever the tests run, and whatever an earlier run has kept: the long ones
 * first, so that none is left over at the end, and each kind by path.
 */
export class ByPath extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const key = ({ moduleId }: TestSpecification) =>
      `${/\.long\.test\.\w+$/.test(moduleId) ? 0 : 1}${moduleId}`
    return files.sort((a, b) => (key(a) < key(b) ? -1 : 1))
  }
}
