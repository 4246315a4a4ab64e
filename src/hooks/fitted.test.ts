import { expect, test } from 'vitest'
import { AGENTS } from '../agents/agents.ts'
import { CODEX } from '../agents/codex.ts'
import { answer, fitted, notice } from './reply.ts'

const output = (agent: typeof CODEX | undefined, fields: Record<string, unknown>) =>
  JSON.parse(fitted(answer('PreToolUse', fields, 'said'), { agent }).stdout ?? '')
const said = (...args: Parameters<typeof output>) => JSON.stringify(output(...args))

test('an agent that would run a call about which a hook asks never sees the word', () => {
  const ask = { permissionDecision: 'ask', permissionDecisionReason: 'why' }
  for (const agent of AGENTS.filter((one) => one.hooks && one.ask === 'decision'))
    expect(said(agent, ask)).toMatch(/deny/)
  for (const agent of AGENTS.filter((one) => one.ask === 'decision'))
    expect(said(agent, ask)).not.toMatch(/ask/)
  expect(output(CODEX, ask).hookSpecificOutput).toEqual({
    hookEventName: 'PreToolUse',
    ...{ permissionDecision: 'deny', permissionDecisionReason: 'why' },
  })
  expect(output(undefined, ask).hookSpecificOutput.permissionDecision).toBe('ask')
})

test('an answer has only the fields that the agent knows', () => {
  const fields = { additionalContext: 'facts', watchPaths: ['/x'], updatedInput: {} }
  expect(output(CODEX, fields)).toEqual({
    systemMessage: 'said',
    hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'facts' },
  })
})

test('a line for the human stays as it is', () => {
  expect(fitted(notice('hello'), { agent: CODEX })).toEqual(notice('hello'))
})
