import { exportCommand } from '../commands/export.ts'
import { pruneCommand } from '../commands/prune.ts'
import { searchCommand } from '../commands/search.ts'
import { statsCommand } from '../commands/stats.ts'

/** Commands over everything that was ever said. */
export const UPKEEP = {
  search: searchCommand,
  stats: statsCommand,
  export: exportCommand,
  prune: pruneCommand,
}
