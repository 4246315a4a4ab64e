import { parseBody } from '../bus/send.ts'
import { CodedError } from '../errors.ts'
import { filledHandover, handoverGaps, handoverTemplate } from '../message/handover.ts'
import type { Message } from '../message/message.ts'
import { type EditedFile, editableFile, runEditor } from '../system/editor.ts'
import { attached } from './attachOption.ts'
import { type BodyOptions, type BodyPorts, bodyBytes } from './body.ts'
import { changesSince, currentHead } from './changes.ts'
import type { Ports } from './ports.ts'

export type HandoverOptions = BodyOptions & { handover?: boolean; withDiffstat?: boolean; attach?: string[] }

export type HandoverPorts = BodyPorts & Pick<Ports, 'env' | 'cwd' | 'say' | 'bus'>

/** What a handover says and carries. A text that was typed for it is kept until it is `sent`; where that fails, `failed` tells where it is. */
export type Handover = { body: string; extra: Message['extra']; sent: () => void; failed: () => void }

const EXAMPLE = 'agent-chat send @name --handover --file handover.md'

/**
 * A handover from the words of the command line, a file or standard input, as any body; at a terminal, from the user's editor. Says on standard error which of its
 * parts are missing. With `withDiffstat`, what has changed in the repository is put below it. All else that can fail does so before the editor opens. Throws as
 * `bodyBytes`, `attached` and `changesSince`; `BODY_EMPTY` for a template that was left as it was, `EDITOR_FAILED` where the editor failed.
 */
export async function handoverContent(
  from: string,
  to: string,
  options: HandoverOptions,
  ports: HandoverPorts,
): Promise<Handover> {
  const files = await attached(options, ports)
  const changes = options.withDiffstat ? await changesSince(from, to, ports) : undefined
  const head = changes?.head ?? (await currentHead(ports))
  const text = options.handover
    ? await handoverText(from, options, ports)
    : plain(await bodyBytes(options, ports, EXAMPLE))
  try {
    const body = parseBody(text.bytes)
    if (options.handover) sayGaps(body, ports)
    const whole = changes === undefined ? body : `${body.trimEnd()}\n\n${changes.text}`
    const extra = { ...files, ...(head === undefined ? {} : { git_head: head }) }
    return { body: parseBody(Buffer.from(whole)), extra, sent: text.sent, failed: text.failed }
  } catch (error) {
    text.failed()
    throw error
  }
}

type Text = { bytes: Buffer; sent: () => void; failed: () => void }

async function handoverText(from: string, options: BodyOptions, ports: HandoverPorts): Promise<Text> {
  const given = options.words.length > 0 || options.file !== undefined || !(await ports.isTerminal('stdin'))
  return given ? plain(await bodyBytes(options, ports, EXAMPLE)) : editedText(from, ports)
}

function plain(bytes: Buffer): Text {
  return { bytes, sent: () => {}, failed: () => {} }
}

async function editedText(from: string, ports: HandoverPorts): Promise<Text> {
  const file = editableFile('HANDOVER.md', handoverTemplate(from))
  await edit(file, ports)
  const text = filledHandover(file.read(), from)
  if (text === undefined) {
    file.drop()
    throw new CodedError('BODY_EMPTY', 'the handover was left as it was, and nothing was sent', {
      hint: 'fill in its parts and save it; what says nothing is left out',
    })
  }
  const failed = () => ports.say(`agent-chat: what you wrote is kept in ${file.path}`)
  return { bytes: Buffer.from(text), sent: file.drop, failed }
}

async function edit(file: EditedFile, ports: HandoverPorts): Promise<void> {
  const command = editorOf(ports.env)
  const why = await runEditor(command, file.path, ports.env, ports.cwd).then(
    ({ code }) => (code === 0 ? undefined : `it ended with exit code ${code}`),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (why === undefined) return
  throw new CodedError('EDITOR_FAILED', `the editor ${JSON.stringify(command)} failed (${why}), and nothing was sent`, {
    hint: `what was written is kept in ${file.path}; send it with --handover --file, or set VISUAL or EDITOR to another editor`,
  })
}

/** As git chooses, but for its own settings: `VISUAL` where the terminal can be drawn on, else `EDITOR`, else vi. */
function editorOf(env: NodeJS.ProcessEnv): string {
  const visual = env.TERM === undefined || env.TERM === 'dumb' ? undefined : env.VISUAL
  return visual || env.EDITOR || 'vi'
}

function sayGaps(body: string, ports: Pick<Ports, 'say'>): void {
  const { missing, empty } = handoverGaps(body)
  const list = (names: string[]) => names.map((name) => `"${name}"`).join(', ')
  const gaps = [
    ...(missing.length === 0 ? [] : [`has no ${list(missing)}`]),
    ...(empty.length === 0 ? [] : [`has nothing under ${list(empty)}`]),
  ]
  if (gaps.length > 0) ports.say(`agent-chat: the handover ${gaps.join(' and ')}`)
}
