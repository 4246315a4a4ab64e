import { LONGEST_MS } from '../../../src/testing/until.ts'
import { eventually } from './poll.ts'

/**
 * A screen as the terminal holds it at one moment. `text`: lines, with their colours. The cursor
 * counts from 0.
 */
export interface Capture {
  text: string
  cursorX: number
  cursorY: number
  cursorVisible: boolean
  width: number
  height: number
}

export interface Pane {
  readonly id: string
  /** Types `text` as it is, without Enter. */
  type(text: string): Promise<void>
  /** Presses keys by tmux's names: `Enter`, `Escape`, `C-c`, `Down`. */
  key(...keys: string[]): Promise<void>
  /** Types `text` and, once it stands on the screen, Enter. */
  submit(text: string): Promise<void>
  screen(options?: { escapes?: boolean }): Promise<string>
  capture(): Promise<Capture>
  /** The screen, once it matches. */
  waitFor(what: RegExp | ((screen: string) => boolean), timeoutMs?: number): Promise<string>
  /** The process that the pane started with. */
  pid(): Promise<number>
  alive(): Promise<boolean>
  kill(): Promise<void>
}

type Tmux = (...args: string[]) => Promise<string>

export function tmuxPane(tmux: Tmux, id: string): Pane {
  const ask = async (format: string) =>
    (await tmux('display-message', '-p', '-t', id, format)).trimEnd()
  const screen: Pane['screen'] = ({ escapes = false } = {}) =>
    tmux('capture-pane', '-p', ...(escapes ? ['-e'] : []), '-t', id)
  const type = async (text: string) => {
    await tmux('send-keys', '-t', id, '-l', '--', text)
  }
  const key = async (...keys: string[]) => {
    await tmux('send-keys', '-t', id, ...keys)
  }
  const waitFor: Pane['waitFor'] = (what, timeoutMs = LONGEST_MS) => {
    const matches = what instanceof RegExp ? (text: string) => what.test(text) : what
    const look = async () => {
      const text = await screen()
      return matches(text) ? text : undefined
    }
    const state = () => screen().catch(() => '(the pane is gone)')
    return eventually(`the screen to match ${what}`, look, { timeoutMs, state })
  }
  const submit = async (text: string) => {
    await type(text)
    // Text and Enter in one go are taken for a paste, in which Enter is a mere newline.
    const end = text.slice(-20).replace(/\s/g, '')
    const comes = (ms?: number) => waitFor((shown) => shown.replace(/\s/g, '').includes(end), ms)
    await comes(5000).catch(async () => {
      // A client drops keys in the moment in which its dialog closes. A person types again.
      await key('C-u')
      await type(text)
      await comes()
    })
    await key('Enter')
  }
  return {
    id,
    type,
    key,
    submit,
    screen,
    waitFor,
    capture: async () => {
      const text = await screen({ escapes: true })
      const numbers = await ask(
        '#{cursor_x} #{cursor_y} #{cursor_flag} #{pane_width} #{pane_height}',
      )
      const [cursorX = 0, cursorY = 0, flag = 0, width = 0, height = 0] = numbers
        .split(' ')
        .map(Number)
      return { text, cursorX, cursorY, cursorVisible: flag === 1, width, height }
    },
    pid: async () => Number(await ask('#{pane_pid}')),
    alive: () =>
      tmux('list-panes', '-a', '-F', '#{pane_id} #{pane_dead}').then(
        (panes) => panes.split('\n').includes(`${id} 0`),
        () => false,
      ),
    kill: async () => {
      await tmux('kill-pane', '-t', id).catch(() => undefined)
    },
  }
}
