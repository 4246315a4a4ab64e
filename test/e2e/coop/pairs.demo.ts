import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Pair, pairsIn } from '../../../bench/coop/patches.mjs'
import {
  conflictOf,
  conflictsOf,
  makeTrees,
  planOf,
  randomFrom,
  replay,
} from '../../../bench/coop/replay.mjs'
import { ringsIn } from '../delivery/heard.ts'
import { bash } from '../delivery/model.ts'
import { nameIn } from '../gate/agents.ts'
import { type Scene, sceneForTest } from '../gate/scene.ts'
import type { Session } from '../gate/session.ts'
import { eventually } from '../harness/poll.ts'
import type { Block, Reply } from '../harness/reply.ts'
import { newText } from '../harness/request.ts'
import type { World } from '../harness/world.ts'

/** What `npm run bench:coop -- --client claude` asks for, and the file for what comes of it. */
type Order = { folder: string; ids: string[]; seed: number; said: string }

const ORDER: Order = JSON.parse(process.env.AGENT_CHAT_COOP ?? '{"ids":[]}')
const NAMES = ['alpha', 'beta'] as const
const REFUSED = /where you are about to/

test.each(ORDER.ids.map((id, at) => [id, at] as const))('%s', async (id, at) => {
  const pair = pairsIn(ORDER.folder).find((one) => one.id === id) as Pair
  const scene = await sceneForTest()
  const folder = scene.world.cwd
  const plan = planOf([bare(pair.patches[0]), bare(pair.patches[1])])
  const trees = makeTrees(folder, plan.base)
  const conflict = pair.conflict ?? conflictOf(plan, folder)
  const conflicts = conflict ? conflictsOf(plan, folder) : []
  trust(scene.world, trees)
  const models = scriptedModels(scene)
  const sessions = []
  for (const [side, name] of NAMES.entries()) {
    const session = await scene.session(name, { mode: 'acceptEdits', cwd: trees[side] ?? '' })
    sessions.push(await models.begin(session, (at + side) % 2 === 0 ? 'you' : 'message'))
  }
  const random = randomFrom(ORDER.seed + at)
  const outcome = await replay(plan, { trees, sessions, conflicts, random })
  models.end()
  appendFileSync(ORDER.said, `${JSON.stringify({ ...outcome, conflict })}\n`)
  expect(outcome.lost).toBe(0)
})

/** A patch without blanks at the ends of lines: the client writes none. */
function bare(patch: string): string {
  return patch.replace(/^([-+ ].*?)[ \t]+$/gm, '$1')
}

/** A worktree is a folder of its own to the client, which asks whether you trust it. */
function trust({ home, cwd }: World, folders: readonly string[]): void {
  const path = join(home, '.claude.json')
  const { projects, ...rest } = JSON.parse(readFileSync(path, 'utf8'))
  for (const folder of [join(cwd, 'main'), ...folders]) projects[folder] = projects[cwd]
  writeFileSync(path, JSON.stringify({ ...rest, projects }))
}

/** Models that wait in the middle of a turn until a replay gives them their next call. */
function scriptedModels({ world, chat, typed }: Scene) {
  const waiting = new Map<string, { heard: string; answer: (reply: Reply) => void }>()
  world.api.setRule((request) => {
    const heard = newText(request)
    if (request.kind !== 'main') return { text: 'ok' }
    if (ringsIn(heard).length > 0) return bash('agent-chat inbox')
    return new Promise((answer) => waiting.set(nameIn(request), { heard, answer }))
  })
  const waits = (name: string) =>
    eventually(`the model of ${name} to be asked`, () => waiting.get(name), { timeoutMs: 120_000 })
  const call = async (name: string, block: Block) => {
    const { answer } = await waits(name)
    waiting.delete(name)
    answer(block)
    return (await waits(name)).heard
  }
  const sessionOf = (name: string) => {
    const read = new Set<unknown>()
    return {
      writes: true as const,
      before: async (tool: string, input: object) => {
        const { file_path } = Object(input) as Record<string, unknown>
        if (tool === 'Edit' && !read.has(file_path))
          await call(name, { tool: 'Read', input: { file_path } })
        read.add(file_path)
        const heard = await call(name, { tool, input: { ...input } })
        return { decision: REFUSED.test(heard) ? 'deny' : 'pass', reason: heard, ms: 0 }
      },
      after: async () => {},
    }
  }
  return {
    begin: async ({ name, pane }: Session, turn: 'you' | 'message') => {
      if (turn === 'message') {
        // You let what this sender asks for pass, beforehand: no dialog is in the way.
        await typed(['approve', '@backend', '--as', name, '--count', '50', '--for', '2h'])
        await chat(['send', `@${name}`, 'Please make your changes.'], 'backend')
      } else await pane.submit('Please make your changes.')
      await waits(name)
      return sessionOf(name)
    },
    end: () => {
      world.api.setRule(() => ({ text: 'done' }))
      for (const { answer } of waiting.values()) answer({ text: 'done' })
    },
  }
}
