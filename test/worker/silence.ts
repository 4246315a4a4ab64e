import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { systemProcesses } from '../../src/system/processes.ts'
import { findProgram } from '../../src/system/programs.ts'
import { DIST, ROOT } from '../../src/testing/cli.ts'
import { startClient } from '../../src/worker/client/client.ts'
import type { ClientEvent } from '../../src/worker/client/line.ts'
import { carriers, type Stage } from './stage.ts'

/** The silence of a client, on the stand-in and on the real one: see `model` and `client.mjs`. */
export function silenceContract(makeStage: () => Stage | Promise<Stage>): void {
  const begin = async (limits: { requestingMs: number; toolMs: number }) => {
    const stage = await makeStage()
    const self = { node: RUNTIME, script: join(DIST, 'main.js'), root: ROOT }
    const client = startClient(
      {
        ...{ program: findProgram('claude', stage.env) ?? '', name: 'coder', self },
        ...{ cwd: stage.cwd, home: stage.home.root, tools: ['Bash', 'Read'], prompt: 'test' },
        ...{ conversation: randomUUID(), resume: false },
      },
      { env: stage.env, processes: systemProcesses() },
      limits,
    )
    const events: ClientEvent[] = []
    const ask = (text: string, allowAfterMs = 0) =>
      client.ask(text, {
        onEvent: (event) => void events.push(event),
        decide: async () => {
          await new Promise((resolve) => setTimeout(resolve, allowAfterMs))
          return { allow: true }
        },
      })
    return { stage, client, events, ask }
  }

  test('an API that says nothing: the turn is lost, and nothing of it runs on', async () => {
    const { stage, client, events, ask } = await begin({ requestingMs: 3000, toolMs: 60_000 })
    expect(await ask('STALL')).toEqual({ lost: 'silent', why: 'Claude Code said nothing for 3 s' })
    expect(events.at(-1)?.type === 'silent' || events.some(({ type }) => type === 'silent')).toBe(
      true,
    )
    expect(client.isUp()).toBe(false)
    expect(carriers(stage, 'coder')).toEqual([])
  })

  test('a tool that says nothing: so is its turn, and the tool is ended as well', async () => {
    const { stage, client, ask } = await begin({ requestingMs: 60_000, toolMs: 4000 })
    expect(await ask('TOOL')).toMatchObject({ lost: 'silent' })
    expect(client.isUp()).toBe(false)
    expect(carriers(stage, 'coder')).toEqual([])
  })
}
