import { expect, test } from 'vitest'
import { GEMINI } from '../agents/gemini.ts'
import type { Session } from '../bus/names/registry.ts'
import type { ProcessInfo } from '../system/processes.ts'
import type { Left } from './ringer.ts'
import { typeRing } from './tmux.ts'

const RING = 'New message from @lead. Check inbox.'
const AGENT: ProcessInfo = {
  ...{ pid: 42, started: 'x', parent: 1, command: 'gemini', group: 42, foreground: 42 },
}

/**
 * A box that draws what comes to it at once, and whose Enter submits what it held `late` looks
 * before: nothing, at first.
 */
function boxThatIsLate(late: number) {
  const submitted: string[] = []
  let [text, known, looks] = ['', '', 0]
  const put = (more: string) => {
    ;[text, looks] = [text + more, 0]
  }
  const draw = () => {
    if (++looks > late) known = text
    const shown = text || '\x1b[7m \x1b[27mType your message or @path/to/file'
    const rows = ['▄'.repeat(60), ` > ${shown}`, '▀'.repeat(60)]
    return `42 open 0 ${3 + text.length} 1 60 24 0 ◇ Ready\n${rows.join('\n')}\n`
  }
  const run = async (args: string[]) => {
    if (args[0] === 'display-message') return { code: 0, stdout: draw(), stderr: '' }
    const command = args.at(-2) ?? ''
    const [, typed] = /-- '(.*)'/.exec(command) ?? []
    if (typed !== undefined) put(typed)
    else if (command.endsWith('Enter')) {
      if (known !== '') submitted.push(known)
      if (known !== '') [text, known] = ['', '']
    }
    return { code: 0, stdout: '', stderr: '' }
  }
  return { tmux: { run, runHere: async () => 0 }, submitted }
}

async function ring(box: ReturnType<typeof boxThatIsLate>, leftBehind: Left[]) {
  const processes = {
    ...{ self: () => AGENT, find: () => AGENT, isAlive: () => true },
    ...{ all: () => [AGENT], signal: () => false },
  }
  return typeRing(
    {
      ...{ session: { name: 'bob', agent: AGENT } as unknown as Session, leftBehind },
      ...{ address: { socket: '', pane: '%0' }, screen: GEMINI.screen ?? {} },
      ...{ text: () => RING, tooSoon: () => undefined, forbidden: () => undefined },
    },
    { tmux: box.tmux, processes, pause: async () => {} },
  )
}

test.each([[0], [3], [100]])(
  'an Enter that acts on the box as it was %i looks before submits the whole line or nothing',
  async (late) => {
    const box = boxThatIsLate(late)
    let left: Left[] = []
    for (let tries = 0; tries < 5 && box.submitted.length === 0; tries += 1) {
      const result = await ring(box, left)
      if (result.kind === 'wait') left = result.left ? [result.left] : []
      else expect(box.submitted).toEqual([RING])
    }
    expect(box.submitted).toEqual([RING])
  },
)
