import type { Entry } from '../chat/live/entry.ts'
import { isErrno } from '../system/errno.ts'
import { onTypedLine } from '../system/typedLines.ts'
import { type Live, openLive } from './live.ts'
import { plainText } from './plain.ts'
import type { Ports, RoomOptions } from './ports.ts'

/** What ends the room: the human, the end of the input, or an error. */
type End = (error?: unknown) => void

/**
 * The room as lines: one for each event, and one command or message for each line of standard
 * input. Ends with the input. The exit code is that of the first line that failed, where the lines
 * come from a file or a pipe.
 */
export async function runPlain(options: RoomOptions, ports: Ports): Promise<void> {
  const typed = await ports.isTerminal('stdin')
  let live: Live | undefined
  let stop = () => {}
  const shown: string[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const end: End = (error) =>
        error === undefined || isTerminalGone(error) ? resolve() : reject(error)
      const added = (entry: Entry) => {
        try {
          show(entry, options, ports)
          if (entry.type === 'message') shown.push(entry.id)
          if (!typed) live?.looked(shown.splice(0))
        } catch (error) {
          end(error)
        }
      }
      if (typed && !options.json)
        ports.print('the console of @human: /help for help, /quit to leave\n')
      live = openLive(ports, options.to, { changed: () => {}, added, bell: () => {} })
      if (!typed) live.looked(shown.splice(0))
      stop = listen(live, typed, shown, ports, end)
    })
  } finally {
    stop()
    await live?.close()
  }
}

/**
 * Takes lines until the end of input, `/quit` or a signal. The first Ctrl-C only explains. A line
 * that somebody types says that they have read what was `shown`; nobody types into a pipe.
 */
function listen(live: Live, typed: boolean, shown: string[], ports: Ports, end: End): () => void {
  let failed = 0
  let left = false
  let interrupted = false
  let work: Promise<unknown> = Promise.resolve()
  const leave = () => {
    left = true
    if (!typed && failed !== 0) ports.setExitCode(failed)
    end()
  }
  const take = async (line: string) => {
    if (left) return
    const { exit, quit, open, inbox } = await live.submit(line)
    if (inbox) ports.print('the unread messages: agent-chat inbox human\n')
    if (open !== undefined) ports.print('error: a terminal opens only in the full-screen console\n')
    failed ||= open === undefined ? exit : 2
    if (quit) leave()
  }
  ports.onStop((signal) => {
    if (signal !== 'SIGINT' || !typed || interrupted) return leave()
    interrupted = true
    ports.print('press Ctrl-C again to leave\n')
  })
  return onTypedLine(
    (line) => {
      interrupted = false
      if (typed) live.pressed()
      live.looked(shown.splice(0))
      work = work.then(() => take(line))
    },
    () => void work.then(leave, end),
  )
}

function show(entry: Entry, { json }: RoomOptions, ports: Ports): void {
  const text = json ? `${JSON.stringify(entry)}\n` : plainText(entry, ports.bus().clock.now())
  if (text !== '') ports.print(text)
}

function isTerminalGone(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return isErrno(error, 'EIO') || isErrno(cause, 'EIO')
}
