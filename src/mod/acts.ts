import type { RoomQuestion } from '../feed/panel.ts'
import { promptKey, type Witness } from '../session/witness.ts'
import type { Drawn, Elements, Engine, PromptEvent } from './engine.ts'
import { look } from './live.ts'
import { isNoted, own, run } from './own.ts'

/** Notes where a prompt came from, before its turn: the gate closes what no person began. */
export async function witness($: Engine, { text, origin }: PromptEvent): Promise<void> {
  if (!(await isNoted($))) return
  const at = await $.clock.now()
  if (origin.kind === 'composer') own.typed = at
  const note: Witness = { kind: origin.kind, key: promptKey(text), at, typed: own.typed }
  await $.fs.write(`${own.home}/rooms/${own.pid}.prompt`, JSON.stringify(note))
  await $.fs.write(`${own.home}/rooms/${own.pid}.judged`, '')
  await layBell($)
}

/** The file whose end rings at once after Escape. The client has to know it by then. */
async function layBell($: Engine): Promise<void> {
  const name = own.view?.name
  if (!name || !(await $.fs.exists(`${own.home}/bells/${name}`))) return
  const path = `${own.home}/bells/${name}/again`
  if (!(await $.fs.exists(path))) await $.fs.write(path, '')
}

/** The user pressed Escape: nobody has to wait for the end of this turn any more. */
export async function ended($: Engine): Promise<void> {
  if (!own.view?.name || !(await isNoted($))) return
  await run($, ['room', 'ended', String(await $.clock.now())])
}

export async function openPane($: Engine): Promise<unknown> {
  own.pane = own.pane ?? '-'
  await look($)
  await $.ui.open({
    ...{ id: 'room', title: 'agent-chat', focus: true, closeOnEscape: true },
    ...{ rows: 16, columns: 56 },
  })
  return { text: 'The room is open. Esc closes it.' }
}

/** Shows the conversation of another session in the pane. */
export async function choose($: Engine, name: string): Promise<void> {
  own.pane = name
  await look($)
}

/** A button an option, with these labels. A press answers the question. */
export function optionButtons(
  $: Engine,
  { id, number }: RoomQuestion,
  labels: readonly string[],
  { Button }: Elements,
): Drawn[] {
  return labels.map((label, at) =>
    h(Button, {
      key: `${id}-${at}`,
      label,
      onPress: () => act($, { do: 'reply', id: String(number ?? id), text: String(at + 1) }),
    }),
  )
}

/** What a person pressed or wrote: the command line does it, as theirs. */
export async function act($: Engine, press: Record<string, string>): Promise<void> {
  const { exitCode, stderr } = await run($, ['room', 'press', '--json'], JSON.stringify(press))
  if (exitCode !== 0) $.ui.toast(reasonIn(stderr), { timeoutMs: 8000 })
  await look($)
}

function reasonIn(stderr: string): string {
  const line = stderr.split('\n').find((text) => text.startsWith('{'))
  const error = line === undefined ? undefined : JSON.parse(line).error
  return typeof error?.message === 'string' ? error.message : 'agent-chat did not answer'
}
