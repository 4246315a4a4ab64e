import { parseBody } from '../../bus/mail/draft.ts'
import { handoverGaps } from '../../message/handover.ts'
import { attached, type Content } from '../content.ts'
import type { Ports } from '../ports.ts'
import { changesSince, currentHead } from './changes.ts'

/**
 * `parts`: whether it is told which parts of a handover are missing. `withDiffstat`: what has
 * changed in the repository is put below it.
 */
export type HandoverRequest = {
  parts?: boolean | undefined
  withDiffstat?: boolean | undefined
  attach?: readonly string[] | undefined
}

/**
 * What a handover says and carries. `text` is called when all else that can fail has been done.
 * Throws as `attached()`, `changesSince()`, `parseBody()` and `text`.
 */
export async function handoverContent(
  from: string,
  to: string,
  request: HandoverRequest,
  text: () => Promise<Buffer>,
  ports: Pick<Ports, 'cwd' | 'notice' | 'bus' | 'env'>,
): Promise<Content> {
  const files = await attached(request.attach, ports)
  const changes = request.withDiffstat ? await changesSince(from, to, ports) : undefined
  const head = changes?.head ?? (await currentHead(ports))
  const body = parseBody(await text())
  if (request.parts) tellGaps(body, ports)
  const whole = changes === undefined ? body : `${body.trimEnd()}\n\n${changes.text}`
  const extra = { ...files, ...(head === undefined ? {} : { git_head: head }) }
  return { body: parseBody(Buffer.from(whole)), extra }
}

function tellGaps(body: string, ports: Pick<Ports, 'notice'>): void {
  const { missing, empty } = handoverGaps(body)
  const list = (names: string[]) => names.map((name) => `"${name}"`).join(', ')
  const gaps = [
    ...(missing.length === 0 ? [] : [`has no ${list(missing)}`]),
    ...(empty.length === 0 ? [] : [`has nothing under ${list(empty)}`]),
  ]
  if (gaps.length > 0) ports.notice(`the handover ${gaps.join(' and ')}`)
}
