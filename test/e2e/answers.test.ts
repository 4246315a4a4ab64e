import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { heardRings, idIn } from './delivery/heard.ts'
import { bash } from './delivery/model.ts'
import { nameIn } from './gate/agents.ts'
import { type Scene, sceneForTest } from './gate/scene.ts'
import { finished, idle } from './gate/session.ts'
import type { Pane } from './harness/pane.ts'
import { eventually } from './harness/poll.ts'
import { type ApiRequest, hears, newText } from './harness/request.ts'

// The scripted models answer at once, so the figures that this prints are what a question takes
// beyond the models' own time.
test('a question asked in the background is answered, and its answer does not ring', async () => {
  const scene = await sceneForTest()
  const ann = await scene.session('ann')
  await scene.session('ben')
  scene.agents.habit('ben', (text) => {
    const question = idIn(text, 'question')
    return question === undefined
      ? undefined
      : bash(`agent-chat reply ${question} "Yes, on purpose."`)
  })
  // The first is heard when the session has just started, the second by its bell.
  for (const number of [1, 2]) {
    const command = `agent-chat ask @ben "Is amount ${number} a string on purpose?"`
    const from = scene.world.api.requests.length
    await ann.prompted(
      scene.agents.plan({ tool: 'Bash', input: { command, run_in_background: true } }),
    )
    const ended = (request: ApiRequest) =>
      nameIn(request) === 'ann' && hears(request, '<task-notification>')
    const told = await scene.world.api.waitFor('the end of the question', ended, { from })
    const { asked, printed } = await lastAnswer(scene)
    console.log(
      `question ${number}: answered after ${printed - asked} ms, the model told after ${told.at - asked} ms`,
    )
    expect(printed).toBeLessThanOrEqual(told.at)
    expect(newText(told)).toMatch(/ask @ben [\s\S]*completed \(exit code 0\)/)
    expect(await outputOf(told)).toMatch(/from @ben · reply · [\s\S]*\n\nYes, on purpose\.\n/)
    await idle(scene.world, 'ann')
  }

  await scene.chat(['send', '@ann', 'another thing'], 'backend')
  await eventually(
    'the other message to be read',
    async () => (await readBy(scene, 'ann')).length === 3,
  )
  expect(await rungFor(scene, 'ann')).toEqual([[expect.stringMatching(/-from-backend$/)]])
  const heard = heardRings(scene.world.api.main()).filter(({ name }) => name === 'ann')
  expect(heard.map(({ text }) => text)).toEqual(['New message from @backend. Check inbox.'])
  expect(await ann.dialogs()).toBe(0)
})

test('a task is taken on, worked on after a yes, and done; its result rings, and the tasks show it', async () => {
  const scene = await sceneForTest()
  const ann = await scene.session('ann')
  const ben = await scene.session('ben')
  const work = scene.agents.plan(
    bash('agent-chat accept the contract one'),
    bash('touch contract.md'),
    bash('agent-chat done "the contract one" "contract.md is written"'),
  )
  const text = `Write contract.md, with ${work.key}`
  await ann.prompted(
    scene.agents.plan(bash(`agent-chat task @ben --subject "The contract" "${text}"`)),
  )

  expect(await ben.dialog()).toMatch(/a message from @ann \(“The contract”\) started this turn/)
  expect(await scene.chat(['tasks', '--open'])).toMatch(
    /^\w{5} +accepted +@ann → @ben +The contract/,
  )
  expect(await scene.chat(['status', 'ben'])).toMatch(/The contract/)
  await ben.yes()
  await finished(work)
  expect(scene.made('contract.md')).toBe(true)
  expect(work.results[0]).toMatch(/^accepted: The contract \(from @ann\)/m)
  expect(work.results[2]).toMatch(/^done: The contract \(from @ann\)/m)

  const asker = (request: ApiRequest) =>
    nameIn(request) === 'ann' && hears(request, 'contract.md is written')
  expect(newText(await scene.world.api.waitFor('the result', asker))).toMatch(
    /from @ben · result · /,
  )
  await idle(scene.world, 'ann')
  const [rung, ...more] = await rungFor(scene, 'ann')
  expect([more, rung]).toEqual([[], [expect.stringMatching(/-from-ben$/)]])
  const { tasks } = JSON.parse(await scene.chat(['tasks', '--json']))
  expect(tasks).toMatchObject([
    { state: 'done', open: false, result: { id: rung?.[0], body: 'contract.md is written' } },
  ])
  expect(await scene.chat(['tasks'])).toMatch(
    /^\w{5} +done +@ann → @ben +The contract\s[\s\S]*contract\.md is written/,
  )
  expect(JSON.parse(await scene.chat(['tasks', '--open', '--json']))).toEqual({ tasks: [] })
  expect([await ann.dialogs(), await ben.dialogs()]).toEqual([0, 1])
})

test('a decision is taken by a person at another terminal, and the session that asked for it is rung', async () => {
  const scene = await sceneForTest()
  const ann = await scene.session('ann')
  const options = '--option JSON --option YAML --context "Both are in use." --recommend JSON'
  const plan = scene.agents.plan(bash(`agent-chat escalate "Which format is it to be?" ${options}`))
  await ann.prompted(plan)
  expect(plan.results[0]).toMatch(/^sent \S+ to @human/m)

  const shell = await plainShell(scene)
  await shell.submit('agent-chat inbox')
  await shell.waitFor(
    /from @ann · question · [\s\S]*Which format is it to be\?[\s\S]*1\. JSON\s+2\. YAML/,
  )
  await shell.submit('agent-chat reply 1 2')
  await shell.waitFor(/^sent \S{5} to @ann/m)

  const chosen = (request: ApiRequest) => nameIn(request) === 'ann' && hears(request, '2. YAML\n')
  const read = await scene.world.api.waitFor('the choice', chosen)
  expect(newText(read)).toMatch(/from your user, at another terminal[\s\S]*from @human · reply · /)
  const heard = heardRings(scene.world.api.main()).map(({ text }) => text)
  expect(heard).toEqual(['New message from @human. Check inbox.'])
  const [answer = ''] = await scene.sentBy('human')
  expect(answer).toMatch(/^choice: '?2'?$/m)
  expect(await scene.chat(['inbox', 'human', '--count'])).toBe('0\n')
})

/** When the last question was sent, and when its answer was printed, in milliseconds since 1970. */
async function lastAnswer(scene: Scene): Promise<{ asked: number; printed: number }> {
  const asked = (await scene.events('sent')).findLast(({ kind }) => kind === 'question')
  const answer = (await scene.events('sent')).findLast(
    ({ in_reply_to }) => in_reply_to === asked?.id,
  )
  const read = (await scene.events('read')).find(({ id }) => id === answer?.id)
  return { asked: Date.parse(String(asked?.at)), printed: Date.parse(String(read?.at)) }
}

/** What a background task has printed, from the file that the client names to the model. */
async function outputOf(told: ApiRequest): Promise<string> {
  return readFile(/<output-file>(.*)<\/output-file>/.exec(newText(told))?.[1] ?? '', 'utf8')
}

async function rungFor(scene: Scene, name: string): Promise<string[][]> {
  return (await scene.events('rung'))
    .filter(({ to }) => to === name)
    .map(({ ids }) => ids as string[])
}

async function readBy(scene: Scene, name: string): Promise<unknown[]> {
  return (await scene.events('read')).filter(({ by }) => by === name)
}

/**
 * A shell in a pane of its own, as a person has it beside their agents, with `agent-chat` on its
 * PATH.
 */
async function plainShell({ world, main }: Scene): Promise<Pane> {
  const path = `${join(dirname(main), '..', 'bin')}:${world.env.PATH}`
  const pane = await world.tmux.newSession({
    argv: ['env', `PATH=${path}`, 'bash', '--norc'],
    env: world.env,
    cwd: world.cwd,
  })
  await pane.waitFor(/[$#]\s*$/)
  return pane
}
