import { dirname } from 'node:path'
import { homeAt } from '../../../src/bus/home.ts'
import { ROOT } from '../../../src/testing/cli.ts'
import type { Stage } from '../../worker/stage.ts'
import type { Rule } from '../harness/api.ts'
import { type ApiRequest, newText } from '../harness/request.ts'
import { worldForTest } from '../harness/test-world.ts'
import type { World } from '../harness/world.ts'

/** A world with the real client, whose model does what the stand-in of `test/worker` does. */
export async function realStage(rule: Rule = model): Promise<Stage & { world: World }> {
  const world = await worldForTest({ rule, pluginDir: ROOT })
  const path = `${dirname(world.claude)}:${world.env.PATH ?? ''}`
  return {
    world,
    home: homeAt(world.chat),
    cwd: world.cwd,
    env: { ...world.env, PATH: path },
    prompts: () =>
      world.api.main().map((request) => ({ conversation: '', text: newText(request) })),
  }
}

const NEVER_ENDS = `node -e "setInterval(() => {}, 1e6)"`

/** The words of the newest prompt decide. */
export const model: Rule = (request) => {
  const said = newText(request)
  if (said.includes('You were interrupted')) return { text: 'finished after the interruption' }
  if (said.includes('SLOW')) return { blocks: [{ text: 'partial' }], holdMs: 120_000 }
  if (said.includes('LATER')) return { blocks: [{ text: 'later' }], delayMs: 1500 }
  if (said.includes('STALL')) return new Promise(() => {})
  if (said.includes('COUNT')) return { text: String(countOf(request)) }
  if (said.includes('TOOL'))
    return { tool: 'Bash', input: { command: NEVER_ENDS, description: 'run', timeout: 300_000 } }
  return { text: /SAY (.+)/.exec(said)?.[1] ?? 'ok' }
}

function countOf({ messages }: ApiRequest): number {
  return (
    messages
      .filter(({ role }) => role === 'user')
      .map(({ text }) => text)
      .join('\n')
      .split('SAY').length - 1
  )
}
