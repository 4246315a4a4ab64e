import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../harness/poll.ts'
import { hears } from '../harness/request.ts'
import { worldForTest } from '../harness/test-world.ts'
import { ARGS, bash, commands, pullThePlug, say } from './world.ts'

const NAMES = [...'abcdefghij'].map((letter) => `s-${letter}`)
const QUESTION = 'are you back?'

test('ten sessions come back: all by one command, and one after the other', async () => {
  const world = await worldForTest({
    rule: (request) =>
      hears(request, 'Check inbox') ? bash('agent-chat inbox') : { text: 'noted' },
  })
  const env = { ...world.env, PATH: `${dirname(world.claude)}:${world.env.PATH}` }
  const { chat, typed } = commands(world, env)
  for (const name of NAMES) {
    const { pane } = JSON.parse(await chat('start', name, '--detach', '--json', '--', ...ARGS))
    await world.tmux.pane(pane).waitFor(/❯/)
    await world.tmux.pane(pane).submit(`w-${name}`)
    // Claude Code goes on with no conversation that has no answer yet.
    await world.tmux.pane(pane).waitFor(/noted/)
  }
  /** How long it takes until all are ready, and until each was told what waited, in seconds. */
  const measured = async (act: () => Promise<unknown>) => {
    await pullThePlug(world)
    for (const name of NAMES) await chat('send', `@${name}`, QUESTION, '--as', 'human', '--queue')
    const from = world.api.requests.length
    const began = performance.now()
    const seconds = () => ((performance.now() - began) / 1000).toFixed(1)
    await act()
    const ready = seconds()
    await eventually('each to be told', () => {
      const since = world.api.requests.slice(from).filter((request) => hears(request, QUESTION))
      const texts = since.map(({ body }) => JSON.stringify(body))
      return NAMES.every((name) => texts.some((text) => text.includes(`w-${name}`)))
    })
    return `${ready} s ready, ${seconds()} s told`
  }
  const all = await measured(async () => {
    const { stdout } = await typed('resume', '--yes')
    expect(stdout.match(/is back with its conversation/g)).toHaveLength(NAMES.length)
  })
  const each = await measured(async () => {
    for (const name of NAMES)
      expect(await typed('resume', name, '--yes')).toMatchObject({ code: 0 })
  })
  say(`ten sessions: ${all}; one after the other: ${each}`)
})
