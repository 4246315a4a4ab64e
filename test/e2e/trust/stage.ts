import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recorder } from '../../origins/record.ts'
import { recorderIn } from '../../origins/record.ts'
import { bash } from '../delivery/model.ts'
import type { Plan } from '../gate/agents.ts'
import { type Scene, sceneForTest } from '../gate/scene.ts'
import { idle, type Session } from '../gate/session.ts'
import { eventually } from '../harness/poll.ts'
import type { Block } from '../harness/reply.ts'

/** The turn that a session had before the tested prompt. */
export type Before = 'none' | 'open' | 'closed'

/** Whether a change ran without a question, or came to one. */
export type Outcome = 'open' | 'closed'

export interface Cell {
  /** The bytes that are added to the words. */
  size: number
  panel: boolean
  before: Before
}

/** What a row plays on: a world, its models, and what is asked of the client about it. */
export interface Stage extends Cell {
  scene: Scene
  recorder: Recorder
  /** As many signs as the cell asks for. */
  more: string
  /** The change by which the turn is judged: the client would let it run in every mode. */
  touch: Block
  /** A plan with that as its one step. */
  change: Plan
  /** Starts `frontend` as you would, with the cell's panel or without. */
  start(...args: string[]): Promise<Session>
  /** Begins a turn of yours that does these things, and then one of a message, as the cell asks. */
  prepare(session: Session, ...steps: Block[]): Promise<void>
  /** What came of the change: it ran, or a dialog is open. */
  outcome(session: Session, timeoutMs?: number): Promise<Outcome>
}

/** What lets a client make the change, where a row starts it itself. */
export const CLAUDE_FLAGS = ['--allowedTools', 'Bash']

export function isMade({ scene }: Pick<Stage, 'scene'>): boolean {
  return scene.made(MADE)
}

/** What the hooks have noted of the session. */
export async function stateOf({ scene }: Pick<Stage, 'scene'>) {
  return JSON.parse(await readFile(join(scene.world.chat, 'state', 'frontend.json'), 'utf8'))
}

/** The file that the tested turn makes. */
const MADE = 'made-by-it'

export async function stageFor(cell: Cell): Promise<Stage> {
  const scene = await sceneForTest()
  const recorder = await recorderIn(scene.world)
  // In a worktree, the client is in another folder.
  const touch = bash(`touch ${scene.path(MADE)}`)
  const start: Stage['start'] = async (...args) => {
    const session = await scene.session('frontend', {
      args,
      plugins: recorder.plugins,
      env: cell.panel ? {} : { AGENT_CHAT_ROOM: 'off' },
    })
    const panels = join(scene.world.chat, 'rooms')
    if (cell.panel)
      await eventually('the panel', () => existsSync(panels) && readdirSync(panels).length > 0)
    return session
  }
  return {
    ...cell,
    scene,
    recorder,
    more: 'x'.repeat(cell.size),
    touch,
    change: scene.agents.plan(touch),
    start,
    prepare: async (session, ...steps) => {
      if (cell.before === 'none') return
      await session.prompted(scene.agents.plan(bash('touch of-mine'), ...steps))
      if (!scene.made('of-mine')) throw new Error('your own turn was closed')
      if (cell.before === 'closed') await scene.obeyed(scene.agents.plan())
      await idle(scene.world, 'frontend')
      await recorder.begin()
    },
    outcome: async (session, timeoutMs = 60_000) => {
      const look = async () => {
        if (isMade({ scene })) return 'open' as const
        return (await session.dialogs()) > 0 ? ('closed' as const) : undefined
      }
      const found = await eventually('the change, or a dialog about it', look, {
        timeoutMs,
        state: () => session.pane.screen(),
      })
      if (found === 'closed') await session.dialog()
      return found
    },
  }
}
