import { expect, test } from 'vitest'
import type { TmuxAnswer } from '../system/tmux.ts'
import { tmuxSessionExists } from './tmuxSession.ts'

test.each<[what: string, answer: Partial<TmuxAnswer>, exists: boolean]>([
  ['is there', { code: 0 }, true],
  ['is gone', { code: 1, stderr: "can't find session: ac-backend" }, false],
  ['is gone with its server', { code: 1, stderr: 'no server running' }, false],
  ['is not known: the server does not answer', { code: 1, late: true }, true],
])('a tmux session that %s', async (_, answer, exists) => {
  const tmux = { run: async () => ({ code: 1, stdout: '', stderr: '', ...answer }) }
  expect(await tmuxSessionExists(tmux, 'backend')).toBe(exists)
})
