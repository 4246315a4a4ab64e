import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { hears } from '../harness/request.ts'
import type { World, WorldOptions } from '../harness/world.ts'
import { asPerson } from './cases.ts'
import { agentWorld } from './world.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/**
 * Claude Code hands over to Codex, whose change waits for its human, and which reports back. `open`
 * makes a world of Claude Code.
 */
export async function handOver(open: (options: WorldOptions) => Promise<World>): Promise<void> {
  const claude = await open({
    pluginDir: ROOT,
    rule: (request) => {
      if (hears(request, 'hand it over'))
        return bash('agent-chat send @coder "please make made.txt"')
      return hears(request, 'from @coder') ? bash('agent-chat inbox') : { text: 'ok' }
    },
  })
  const codex = await agentWorld(
    'codex',
    ({ prompt, results }) => {
      const steps = /from @human/.test(prompt)
        ? ['agent-chat inbox', 'touch made.txt', 'agent-chat send @lead "made it"']
        : /from @lead/.test(prompt)
          ? ['agent-chat inbox', 'touch made.txt']
          : []
      const run = steps[results.length]
      return run === undefined ? { say: 'the end' } : { run }
    },
    claude,
  )
  await codex.chat('setup', '--agent', 'codex', '--yes')
  const coder = await codex.start('coder')
  const lead = await claude.startClaude({
    name: 'lead',
    args: ['--allowedTools', 'Bash(agent-chat:*)'],
    env: { PATH: `${join(ROOT, 'bin')}:${claude.env.PATH}` },
  })
  await codex.chat('join', 'lead', lead.id)

  await lead.submit('hand it over')
  const refused = await codex.model.waitFor('the refusal', ({ results }) => results.length === 2)
  expect(refused.prompt).toBe('New message from @lead. Check inbox.')
  expect(refused.results[1]).toMatch(
    /blocked by PreToolUse hook.*your user decides about this: decision 1/,
  )
  await coder.waitFor(/the end/)
  expect(existsSync(join(codex.cwd, 'made.txt'))).toBe(false)
  expect(await codex.chat('status', 'human')).toMatch(/May I use Bash: touch made\.txt/)

  const shell = await asPerson(codex)
  await shell.submit('agent-chat reply 1 1')
  const done = await codex.model.waitFor('the end', ({ results }) => results.length === 3)
  expect(done.prompt).toBe('New message from @human. Check inbox.')
  expect(existsSync(join(codex.cwd, 'made.txt'))).toBe(true)
  await claude.api.waitFor('the report', (request) => hears(request, 'made it'))
  const history = await codex.chat('history')
  expect(history).toMatch(
    /@lead → @coder[\s\S]*@coder → @human[\s\S]*@human → @coder[\s\S]*@coder → @lead/,
  )
  await codex.close()
}

function bash(command: string) {
  return { tool: 'Bash', input: { command, description: 'agent-chat' } }
}
