import type { Agent } from './agent.ts'
import { OPENCODE, OPENCODE_HOOKS } from './opencode.ts'
import { PROGRAMS } from './programs.ts'

/** Kilo Code: OpenCode under another name, with other directories. The same plugin runs in it. */
export const KILO: Agent = {
  ...OPENCODE,
  name: 'kilo',
  title: 'Kilo Code',
  programs: PROGRAMS.kilo,
  install: ['npm', 'install', '-g', '@kilocode/cli'],
  versions: { oldest: '7.7.7', tested: '7.7.7' },
  marks: ['KILO', 'KILO_PID', 'KILO_RUN_ID', 'KILO_PROCESS_ROLE', ...OPENCODE.marks],
  telling: ['KILO'],
  hooks: {
    ...OPENCODE_HOOKS,
    directory: { below: '.config/kilo' },
    changes: `${OPENCODE_HOOKS.changes} background_process board_post board_read schedule_wakeup cancel_wakeup kilo_local_recall suggest`,
  },
  lacks: {
    ...OPENCODE.lacks,
    resume: 'starts with a new conversation: nobody has tried its own way yet',
  },
}
