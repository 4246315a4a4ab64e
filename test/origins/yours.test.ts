// child_process: `cells.ts` starts the hooks (see vitest.config.mts).
import { testRecordings } from './cells.ts'

testRecordings(({ whose }) => whose !== 'nobody')
