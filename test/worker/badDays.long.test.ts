// child_process: this file starts the program (see vitest.config.ts).
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesIn } from '../../src/testing/home.ts'
import { runAsHuman } from '../../src/testing/human.ts'
import { until } from '../../src/testing/until.ts'
import {
  answersIn,
  answerTo,
  carriers,
  define,
  runIn,
  runTyped,
  sendTo,
  standInStage,
  startWork,
  stateOf,
} from './stage.ts'

const unread = (stage: ReturnType<typeof standInStage>) =>
  filesIn(stage.home.inbox('coder')).filter((file) => file.endsWith('.md')).length

/** What the human was told, without answers to what they sent. */
const toldHuman = async (stage: ReturnType<typeof standInStage>): Promise<string[]> => {
  const { stdout } = await runIn(stage, ['inbox', 'human', '--peek', '--json'])
  return JSON.parse(stdout).messages.flatMap((message: { kind: string; body: string }) =>
    message.kind === 'note' ? [message.body] : [],
  )
}

test('a key that is refused: the worker has failed, the human is told once, and nothing is lost', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  const worker = await startWork(stage, 'coder')
  await sendTo(stage, ['ask', '--no-wait', '@coder', 'REFUSE'])
  const { code, stderr } = await worker.ended
  expect(code).toBe(1)
  expect(stderr).toContain('authentication_failed')
  expect(stateOf(stage, 'coder')).toMatchObject({ activity: 'failed' })
  expect(stateOf(stage, 'coder')?.reason).toContain('authentication_failed')
  expect(unread(stage)).toBe(1)
  expect(carriers(stage, 'coder')).toEqual([])
  expect(await toldHuman(stage)).toEqual([expect.stringContaining('authentication_failed')])
})

test('a client without our hooks would ask about nothing: the worker has failed, and says why', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  const worker = await startWork(stage, 'coder')
  await sendTo(stage, ['ask', '--no-wait', '@coder', 'UNHOOKED TOOL'])
  expect((await worker.ended).stderr).toContain('disableAllHooks')
  expect(stateOf(stage, 'coder')).toMatchObject({ activity: 'failed' })
  expect(unread(stage)).toBe(1)
  expect(carriers(stage, 'coder')).toEqual([])
})

test('a client whose start no hook has told of gets no prompt, and the task is kept', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  const unhooked = join(stage.env.STAND_IN_DIR ?? '', 'unhooked')
  writeFileSync(unhooked, '')
  const worker = await startWork(stage, 'coder')
  const id = await sendTo(stage, ['task', '@coder', 'SAY done'])
  expect((await worker.ended).stderr).toContain('hooks do not run here: ')
  expect(stateOf(stage, 'coder')).toMatchObject({ activity: 'failed' })
  expect([stage.prompts(), unread(stage), carriers(stage, 'coder')]).toEqual([[], 1, []])
  rmSync(unhooked)
  await startWork(stage, 'coder')
  // Nobody knows how far the turn before came.
  expect((await answerTo(stage, id)).body).toContain('finished')
})

test.each([
  ['OVERLOAD', 'the API is overloaded (529)'],
  ['EXIT', 'Claude Code ended with exit code 3'],
])('%s three times: the sender and the human learn why', async (word, why) => {
  const stage = standInStage()
  define(stage, 'coder')
  await startWork(stage, 'coder')
  const id = await sendTo(stage, ['task', '@coder', word])
  const answer = await answerTo(stage, id)
  expect(answer).toMatchObject({ kind: 'result', extra: { task_state: 'failed', failed: why } })
  expect(answer.body).toContain(why)
  await until('it is idle', () => stateOf(stage, 'coder')?.activity === 'idle')
  expect(stage.prompts()).toHaveLength(3)
  expect(await toldHuman(stage)).toContainEqual(expect.stringContaining(`gave up on`))
  const next = await sendTo(stage, ['ask', '--no-wait', '@coder', 'SAY fine'])
  expect((await answerTo(stage, next)).body).toBe('fine')
})

test('a turn that takes too long is cut, and said so', async () => {
  const stage = standInStage()
  define(stage, 'coder', 'timeout_seconds: 1')
  await startWork(stage, 'coder')
  const id = await sendTo(stage, ['ask', '--no-wait', '@coder', 'SLOW'])
  const { body, extra } = await answerTo(stage, id)
  expect(extra.failed).toBe('it took longer than 1 s')
  expect(body).toBe('I could not finish this: it took longer than 1 s.')
  expect(answersIn(stage, id)).toHaveLength(1)
})

test.each([
  ['work:given', 2],
  ['work:result', 2],
  ['work:kept', 1],
  ['work:answering', 1],
  ['send:published', 1],
  ['send:indexed', 1],
  ['send:linked', 1],
  ['work:answered', 1],
  ['inbox:printed', 1],
  ['inbox:moved', 1],
])('killed at %s, a message has one answer, and %i prompts at most', async (step, prompts) => {
  const stage = standInStage()
  define(stage, 'coder')
  const id = await sendQueued(stage)
  const first = await startWork(stage, 'coder', { AGENT_CHAT_FAULT: step })
  expect((await first.ended).signal).toBe('SIGKILL')
  await startWork(stage, 'coder')
  await until(
    'it is idle',
    () => stateOf(stage, 'coder')?.activity === 'idle' && unread(stage) === 0,
  )
  expect(answersIn(stage, id)).toHaveLength(1)
  const delivered = [
    ...filesIn(stage.home.inbox('human')),
    ...filesIn(stage.home.readDirectory('human')),
  ]
  expect(delivered).toContain(`${answersIn(stage, id)[0]?.id}.md`)
  expect(stage.prompts().length).toBeLessThanOrEqual(prompts)
})

/** A question that is there before the worker is. */
async function sendQueued(stage: ReturnType<typeof standInStage>): Promise<string> {
  const args = [
    'send',
    '--queue',
    '--kind',
    'question',
    '@coder',
    'SAY once',
    '--as',
    'human',
    '--json',
  ]
  const run = await runIn(stage, args)
  if (run.code !== 0) throw new Error(run.stderr)
  return JSON.parse(run.stdout).id
}

test('one that may end when it is idle does, and has its place when it is back', async () => {
  const stage = standInStage()
  define(stage, 'coder', 'persistent: false\nmax_idle_seconds: 1')
  const worker = await startWork(stage, 'coder')
  const run = await worker.ended
  expect(run).toMatchObject({ code: 0 })
  expect(run.stdout).toContain('@coder was idle and has ended')
  expect(stateOf(stage, 'coder')?.activity).toBe('stopped')
  const id = await sendTo(stage, ['send', '@coder', 'SAY back'])
  await startWork(stage, 'coder')
  expect((await answerTo(stage, id)).body).toBe('back')
})

test('a second one of a name is refused, and the first goes on', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  const worker = await startWork(stage, 'coder')
  const second = await runIn(stage, ['work', 'coder'])
  expect(second).toMatchObject({ code: 8 })
  expect(second.stderr).toContain(`@coder is working already (process ${worker.pid})`)
  expect(stateOf(stage, 'coder')?.process.pid).toBe(worker.pid)
})

test('a directory that is gone, a client that is too old, and one that is missing: one error each', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  const old = await runIn(stage, ['work', 'coder'], { STAND_IN_VERSION: '1.0.3 (Claude Code)' })
  expect(old).toMatchObject({ code: 7 })
  expect(old.stderr).toContain('Claude Code 1.0.3 is too old for a worker')
  expect(stateOf(stage, 'coder')).toMatchObject({ activity: 'failed' })
  rmSync(stage.cwd, { recursive: true })
  const gone = await runIn({ ...stage, cwd: '/' }, ['work', 'coder'])
  expect(gone).toMatchObject({ code: 1 })
  expect(gone.stderr).toContain(`the directory of @coder is missing: ${stage.cwd}`)
  const nobody = await runIn({ ...stage, cwd: '/' }, ['work', 'nobody'])
  expect(nobody).toMatchObject({ code: 4 })
  expect(existsSync(stage.home.worker('nobody'))).toBe(false)
})

test('a definition that becomes invalid: the next task waits, and the worker says why', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  const worker = await startWork(stage, 'coder')
  writeFileSync(stage.home.agentFile('coder'), '# coder\n')
  await sendTo(stage, ['task', '@coder', 'SAY no'])
  expect(await worker.ended).toMatchObject({ code: 2 })
  expect(stateOf(stage, 'coder')).toMatchObject({ activity: 'failed' })
  expect(unread(stage)).toBe(1)
})

test('a file that was written is an artifact of the answer', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  await startWork(stage, 'coder')
  const answer = await answerTo(stage, await sendTo(stage, ['task', '@coder', 'WRITE notes.md']))
  expect(answer.extra.artifacts).toEqual([`${stage.cwd}/notes.md`])
  expect(readFileSync(stage.home.workerCosts('coder'), 'utf8')).toContain('"usd":0.001')
})

test('a queue of any length is answered, and no answer is held back', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  await startWork(stage, 'coder')
  const ids: string[] = []
  for (let at = 0; at < 24; at += 1)
    ids.push(await sendTo(stage, ['ask', '--no-wait', '@coder', `SAY ${at}`]))
  for (const [at, id] of ids.entries()) expect((await answerTo(stage, id)).body).toBe(String(at))
  expect(filesIn(stage.home.heldBy('human'))).toEqual([])
  expect(stage.prompts().map(({ text }) => /SAY (\d+)/.exec(text)?.[1])).toEqual(
    ids.map((_, at) => String(at)),
  )
})

test('an answer to the worker is read, and answered only where it asks back; a note is answered', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  await startWork(stage, 'coder')
  const note = await answerTo(stage, await sendTo(stage, ['send', '@coder', 'SAY noted']))
  const reply = async (...more: string[]) => {
    const run = await runIn(stage, [
      'reply',
      note.id,
      'SAY thanks',
      ...more,
      '--as',
      'human',
      '--json',
    ])
    return JSON.parse(run.stdout).id
  }
  const thanks = await reply()
  const back = await answerTo(stage, await reply('--question'))
  expect(back.body).toBe('thanks')
  expect(answersIn(stage, thanks)).toEqual([])
  expect(stage.prompts()[1]?.text).toContain('This is for your information')
  await until('all of it to be read', () => unread(stage) === 0)
})

test('a worker is not woken by the word of a task that it gave', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  define(stage, 'lead')
  await startWork(stage, 'coder')
  await startWork(stage, 'lead')
  const { stdout } = await runIn(stage, ['task', '@coder', 'SAY part', '--as', 'lead', '--json'])
  const result = await answerTo(stage, JSON.parse(stdout).id)
  await until('the result is read', () =>
    filesIn(stage.home.readDirectory('lead')).includes(`${result.id}.md`),
  )
  const prompts = () => stage.prompts().filter(({ text }) => text.includes('from @coder'))
  expect(prompts().map(({ text }) => text.split('\n')[2])).toEqual(['part'])
})

test('a turn that goes on for 10 s after it was asked to end is cut; its message waits', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  const worker = await startWork(stage, 'coder')
  const id = await sendTo(stage, ['ask', '--no-wait', '@coder', 'SLOW'])
  await until('it is under way', () => worker.stdout().includes('partial'))
  worker.child.kill('SIGTERM')
  expect(await worker.ended).toMatchObject({ code: 0 })
  expect(answersIn(stage, id)).toEqual([])
  expect(unread(stage)).toBe(1)
  expect(carriers(stage, 'coder')).toEqual([])
})

test('while everything is paused it takes no message', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  await startWork(stage, 'coder')
  await runIn(stage, ['pause'])
  expect(existsSync(stage.home.paused)).toBe(true)
  const id = await sendTo(stage, ['ask', '--no-wait', '@coder', 'SAY on'])
  expect(stage.prompts()).toEqual([])
  await runAsHuman(['unpause'], { home: stage.home.root })
  expect((await answerTo(stage, id)).body).toBe('on')
})

test('30 asks, and a worker that is killed again and again: each has one answer', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  const first = await startWork(stage, 'coder')
  const ids: string[] = []
  for (let at = 0; at < 30; at += 1)
    ids.push(await sendTo(stage, ['ask', '--no-wait', '@coder', `SAY ${at}`]))
  const random = seeded(7)
  let worker = first
  for (let kills = 0; kills < 12 && unread(stage) > 0; kills += 1) {
    const until = performance.now() + random() * 120
    while (performance.now() < until) await new Promise(setImmediate)
    const client = stateOf(stage, 'coder')?.client
    if (random() < 0.3 && client) killIfThere(client.pid)
    else {
      worker.child.kill('SIGKILL')
      await worker.ended
      worker = await startWork(stage, 'coder')
    }
  }
  await until('all is done', () => unread(stage) === 0)
  await until('it is idle', () => stateOf(stage, 'coder')?.activity === 'idle')
  expect(ids.map((id) => answersIn(stage, id).length)).toEqual(ids.map(() => 1))
  expect(carriers(stage, 'coder').length).toBeLessThanOrEqual(1)
})

/** The same numbers between 0 and 1 at every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
}

test('an ask goes on with the conversation that it names; a name of none is told', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  await startWork(stage, 'coder')
  const none = await runIn(stage, ['conversations', '@coder'])
  expect(none.stdout).toBe('@coder has no conversations yet\n')
  const task = await answerTo(stage, await sendTo(stage, ['task', '@coder', 'SAY one']))
  await answerTo(stage, await sendTo(stage, ['ask', '--no-wait', '@coder', 'SAY two']))
  const id = String(task.extra.conversation).slice(0, 8)
  const { stdout } = await runIn(stage, ['conversations', '@coder'])
  expect(stdout).toMatch(new RegExp(`^ {3}${id} +task +1 +just now +SAY one$`, 'm'))
  expect(stdout).toMatch(/^\* {2}\S{8} +ask +1 +just now +SAY two$/m)
  const ask = ['ask', '--no-wait', '@coder', '--conversation']
  expect((await answerTo(stage, await sendTo(stage, [...ask, id, 'COUNT']))).body).toBe('1')
  const lost = await answerTo(stage, await sendTo(stage, [...ask, 'ffffffff', 'COUNT']))
  expect(lost.extra.failed).toBe('@coder has no conversation ffffffff')
})

test('without a key and a login, up says so at once and nothing is asked of the API', async () => {
  const stage = standInStage()
  stage.env.STAND_IN_AUTH = '{"loggedIn": false}'
  define(stage, 'coder')
  const run = await runTyped(stage, ['up', 'coder'])
  await runIn(stage, ['down'])
  expect(run).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^✗ @coder failed: Claude Code has no key and is not logged in;/),
  })
})

test('who waits for a worker whose key is refused hears that at once', async () => {
  const stage = standInStage()
  define(stage, 'coder')
  await startWork(stage, 'coder')
  const asked = await runIn(stage, ['ask', '@coder', 'REFUSE', '--as', 'human'])
  expect(asked).toMatchObject({ code: 4, stderr: expect.stringContaining('authentication_failed') })
  const again = await runIn(stage, ['ask', '@coder', 'SAY x', '--as', 'human'])
  expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining('authentication_failed') })
})
