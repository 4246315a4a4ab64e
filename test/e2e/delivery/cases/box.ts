import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '../../harness/poll.ts'
import { newText } from '../../harness/request.ts'
import type { Case } from '../cases.ts'
import type { Round } from '../round.ts'
import type { Stage } from '../stage.ts'
import { emptyBox, heldBack } from './plain.ts'

const BOTH = ['native', 'tmux'] as const
const SUGGESTION = 'run the tests now'

/** Something stands between the ring and the input box. */
export const boxCases: readonly Case[] = [
  { name: 'half-typed draft', doorbells: BOTH, run: draft, from: 'tmux: the empty box' },
  { name: '/model picker open', doorbells: BOTH, run: picker, from: 'the picker closed' },
  { name: 'copy mode', doorbells: BOTH, run: copyMode, from: 'tmux: copy mode left' },
  {
    name: 'vim, INSERT',
    doorbells: BOTH,
    options: { settings: { editorMode: 'vim' } },
    run: vimInsert,
  },
  {
    name: 'vim, NORMAL',
    doorbells: BOTH,
    options: { settings: { editorMode: 'vim' } },
    run: vimNormal,
    from: 'tmux: back in INSERT',
  },
  {
    name: 'dim suggestion in the box',
    doorbells: BOTH,
    options: { env: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'true' } },
    start: startSuggesting,
    run: suggestion,
  },
]

async function draft(round: Round): Promise<void> {
  const { stage, n } = round
  const pane = await stage.pane()
  const thought = `half a thought ${n}`
  await pane.type(thought)
  const inBox = (screen: string) => new RegExp(`❯\\s${thought}`).test(screen)
  await pane.waitFor(inBox)
  const id = await round.send()
  await heldBack(stage, id, /holds text/)
  if (stage.choice !== 'tmux') await eventually('the ring', () => round.rings().length > 0)
  round.unharmed(inBox(await pane.screen()), 'the draft was changed')
  if (stage.choice === 'tmux') round.free()
  await emptyBox(stage)
  await stage.idle()
  round.unharmed(
    !stage.requests().some((request) => newText(request).includes(thought)),
    'the draft was submitted',
  )
}

async function picker(round: Round): Promise<void> {
  const { stage } = round
  const pane = await stage.pane()
  await pane.submit('/model')
  await pane.waitFor(/Select model/)
  const before = { screen: choiceOf(await pane.screen()), settings: await settingsOf(stage) }
  const id = await round.send()
  await heldBack(stage, id, /input box|no input|menu|dialog/)
  const screen = await pane.screen()
  round.unharmed(/Select model/.test(screen), 'the picker was closed')
  round.unharmed(choiceOf(screen) === before.screen, 'another row was chosen')
  round.free()
  await pane.key('Escape')
  await pane.waitFor((shown) => !/Select model/.test(shown))
  await eventually('the ring', () => round.rings().length > 0)
  round.unharmed((await settingsOf(stage)) === before.settings, 'a setting was changed')
}

async function copyMode(round: Round): Promise<void> {
  const { stage } = round
  const pane = await stage.pane()
  const { tmux } = stage.world.tmux
  const inMode = async () =>
    (await tmux('display-message', '-p', '-t', pane.id, '#{pane_in_mode}')).trim() === '1'
  await tmux('copy-mode', '-t', pane.id)
  const id = await round.send()
  await heldBack(stage, id, /copy mode/)
  if (stage.choice !== 'tmux') await eventually('the ring', () => round.rings().length > 0)
  round.unharmed(await inMode(), 'copy mode was left')
  if (stage.choice === 'tmux') round.free()
  await tmux('send-keys', '-t', pane.id, '-X', 'cancel')
}

async function vimInsert(round: Round): Promise<void> {
  const pane = await round.stage.pane()
  await pane.waitFor(/-- INSERT --/)
  await round.send()
}

async function vimNormal(round: Round): Promise<void> {
  const { stage } = round
  const pane = await stage.pane()
  await pane.waitFor(/-- INSERT --/)
  await pane.key('Escape')
  await pane.waitFor((screen) => !screen.includes('INSERT'))
  const id = await round.send()
  await heldBack(stage, id, /vim mode/)
  if (stage.choice !== 'tmux') await eventually('the ring', () => round.rings().length > 0)
  round.unharmed(!(await pane.screen()).includes('INSERT'), 'the vim mode was changed')
  if (stage.choice === 'tmux') round.free()
  await pane.key('i')
  await pane.waitFor(/-- INSERT --/)
}

/** The client suggests a next prompt after the second turn. */
async function startSuggesting(stage: Stage): Promise<void> {
  const pane = await stage.launch()
  for (const prompt of ['hello', 'and again']) {
    await pane.submit(prompt)
    await eventually('the turn', () =>
      stage.requests().some((request) => newText(request).includes(prompt)),
    )
    await stage.idle()
  }
}

async function suggestion(round: Round): Promise<void> {
  const { stage } = round
  const pane = await stage.pane()
  await pane.waitFor((screen) => screen.includes(SUGGESTION))
  await round.send()
  await eventually('the ring', () => round.rings().length > 0)
  const typed = (text: string) => text.trim() === SUGGESTION
  const submitted = stage
    .requests()
    .some((request) => request.messages.some(({ text }) => typed(text)))
  round.unharmed(!submitted, 'the suggestion was submitted')
}

/** The row that the picker stands on. */
function choiceOf(screen: string): string | undefined {
  return /❯\s\d+\. .*/.exec(screen)?.[0].trim()
}

async function settingsOf(stage: Stage): Promise<string> {
  const [settings, own] = await Promise.all(
    ['.claude/settings.json', '.claude.json'].map((file) =>
      readFile(join(stage.world.home, file), 'utf8'),
    ),
  )
  return `${settings} ${JSON.stringify(JSON.parse(own ?? '{}').model)}`
}
