import type { Content } from '../../chat/content.ts'
import { handoverContent } from '../../chat/handover/content.ts'
import { CodedError } from '../../errors.ts'
import { filledHandover, handoverTemplate } from '../../message/handover.ts'
import { type EditedFile, editableFile, runEditor } from '../../system/editor.ts'
import { reasonOf } from '../../system/errno.ts'
import type { Ports } from '../ports.ts'
import { type BodyOptions, type BodyPorts, bodyBytes } from './body.ts'

export type HandoverOptions = BodyOptions & {
  handover?: boolean
  withDiffstat?: boolean
  attach?: string[]
}

type HandoverPorts = BodyPorts & Pick<Ports, 'env' | 'cwd' | 'notice' | 'bus'>

/**
 * A handover. Like any body, it comes from the words of the command line, a file or standard input.
 * With none of these, at a terminal, the user's editor opens; `typed` is given the file that keeps
 * what was written there. Throws as `handoverContent()` and `bodyBytes()`; `BODY_EMPTY` for a
 * template that was left as it was, `EDITOR_FAILED` if the editor failed.
 */
export function handoverFrom(
  from: string,
  to: string,
  options: HandoverOptions,
  ports: HandoverPorts,
  typed: (file: EditedFile) => void,
): Promise<Content> {
  const { handover: parts, words, message, file } = options
  const text = async () => {
    const given = !parts || words.length > 0 || (message ?? file) !== undefined
    if (given || !(await ports.isTerminal('stdin')))
      return bodyBytes(options, ports, 'agent-chat send @name --handover --file handover.md')
    return editedText(from, ports, typed)
  }
  return handoverContent(from, to, { ...options, parts }, text, ports)
}

async function editedText(
  from: string,
  ports: HandoverPorts,
  typed: (file: EditedFile) => void,
): Promise<Buffer> {
  const file = editableFile('HANDOVER.md', handoverTemplate(from))
  await edit(file, ports)
  const text = filledHandover(file.read(), from)
  if (text === undefined) {
    file.drop()
    throw new CodedError('BODY_EMPTY', 'the handover was not filled in; nothing was sent', {
      hint: 'fill in its sections and save; empty sections are left out',
    })
  }
  typed(file)
  return Buffer.from(text)
}

async function edit(file: EditedFile, ports: HandoverPorts): Promise<void> {
  const command = editorOf(ports.env)
  const why = await runEditor(command, file.path, ports.env, ports.cwd).then(
    ({ code }) => (code === 0 ? undefined : `it ended with exit code ${code}`),
    reasonOf,
  )
  if (why === undefined) return
  throw new CodedError(
    'EDITOR_FAILED',
    `the editor ${JSON.stringify(command)} failed (${why}); nothing was sent`,
    {
      hint: `your text is saved in ${file.path}; send it with --handover --file, or set VISUAL or EDITOR to another editor`,
    },
  )
}

/**
 * As git chooses, but for its own settings: `VISUAL` where the terminal can be drawn on, else
 * `EDITOR`, else vi.
 */
function editorOf(env: NodeJS.ProcessEnv): string {
  const visual = env.TERM === undefined || env.TERM === 'dumb' ? undefined : env.VISUAL
  return visual || env.EDITOR || 'vi'
}
