import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { treeBelow } from '../../src/system/tree.ts'
import { filesIn, register } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { writeWorker } from '../../src/worker/supervise/stateFile.ts'
import { type Workers, workersWorld } from './world.ts'

const START = 'auto_start: true\npersistent: true'
const LONG = 60_000

/** The subjects of what this program itself has told the human. */
function toldOf({ bus }: Workers): string[] {
  const inbox = bus.home.inbox('human')
  return filesIn(inbox).map(
    (file) => /^subject: (.*)$/m.exec(readFileSync(`${inbox}/${file}`, 'utf8'))?.[1] ?? '',
  )
}

function kill(world: Workers, ref: { pid: number; started: string } | undefined): void {
  if (!ref || !world.bus.processes.signal(ref, 'SIGKILL')) throw new Error('nothing to kill')
}

describe('up and down', () => {
  test('start what starts by itself, tell each pid, and end all of it', {
    timeout: LONG,
  }, async () => {
    const world = await workersWorld({ inTmux: true })
    world.define('coder', START)
    world.define('planner', START)
    world.define('rare', 'persistent: true')
    const { code, stdout, stderr } = await world.run('up')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [coder, planner] = [world.state('coder'), world.state('planner')]
    expect(stdout.split('\n').sort().slice(1)).toEqual([
      `✓ @coder started (pid ${coder?.process.pid})`,
      `✓ @planner started (pid ${planner?.process.pid})`,
    ])
    expect(world.state('rare')).toBeUndefined()
    const sessions = await world.tmux?.tmux('list-sessions', '-F', '#{session_name}')
    expect(sessions?.trim().split('\n').sort()).toEqual(['ac-coder', 'ac-planner'])
    const logs = await until('the log', async () => {
      const run = await world.run('logs', 'coder')
      return run.stdout.includes('here') && run
    })
    expect(logs.stdout).toContain("coder is here: it's")
    const again = await world.run('up')
    expect(again.stdout).toContain(`✓ @coder is running (pid ${coder?.process.pid})`)
    const healthy = await world.run('health')
    expect(healthy).toMatchObject({ code: 0 })
    expect(healthy.stdout).toMatch(/✓ +@coder +idle/)
    const supervisor = world.supervisor()
    const down = await world.run('down')
    expect(down).toMatchObject({ code: 0, stderr: '' })
    expect(down.stdout).toContain('stopped @coder\n')
    expect(world.state('coder')?.activity).toBe('stopped')
    for (const ref of [coder?.process, planner?.process, supervisor])
      expect(ref && world.bus.processes.isAlive(ref)).toBe(false)
  })

  test('work without tmux', { timeout: LONG }, async () => {
    const world = await workersWorld()
    world.define('coder', START)
    expect((await world.run('up')).stdout).toMatch(/^✓ @coder started \(pid \d+\)\n$/)
    const first = await world.runs('coder')
    kill(world, first.process)
    const second = await world.other('coder', first)
    expect(second.restarts).toHaveLength(1)
    expect((await world.run('down')).stdout).toContain('stopped @coder')
  })

  test('two up at once give one supervisor and one worker', { timeout: LONG }, async () => {
    const world = await workersWorld()
    world.define('coder', START)
    const both = await Promise.all([world.run('up'), world.run('up')])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(world.starts('coder')).toBe(1)
    expect((await world.run('up', '--foreground')).stderr).toContain('a supervisor of this home')
    await world.run('down')
  })

  test('tell why one has failed, and do not start it again', { timeout: LONG }, async () => {
    const world = await workersWorld()
    world.define('coder', START, 'fail')
    world.define('planner', START)
    const { code, stdout } = await world.run('up')
    expect(code).toBe(1)
    expect(stdout).toContain('✗ @coder failed: the key is refused')
    expect(stdout).toContain('✓ @planner started')
    expect(world.starts('coder')).toBe(1)
    const health = await world.run('health')
    expect(health).toMatchObject({ code: 1 })
    expect(health.stdout).toMatch(/✗ +@coder +failed.*the key is refused/)
    world.behave('coder', '')
    expect((await world.run('restart', 'coder')).stdout).toMatch(/✓ @coder started/)
    const unknown = await world.run('up', 'codr')
    expect(unknown).toMatchObject({ code: 4 })
    await world.run('down')
  })

  test('kill one that does not end, with the tools of its client', { timeout: LONG }, async () => {
    const world = await workersWorld()
    world.define('coder', START, 'stubborn tree')
    await world.run('up', 'coder')

    const { process, tree } = await withTools(world)
    const { stdout } = await world.run('down', 'coder', '--now')
    expect(stdout).toBe('stopped @coder; it did not end when asked, so it was killed\n')
    for (const ref of [process, ...tree]) expect(world.bus.processes.isAlive(ref)).toBe(false)
    expect(world.supervisor()).toBeDefined()
    await world.run('down')
  })
})

/** A worker whose client has a tool that runs. */
function withTools({ state, bus }: Workers) {
  return until('the tool', () => {
    const { client, process } = state('coder') ?? {}
    if (!client || !process) return undefined
    const tree = [client, ...treeBelow(bus.processes, client.pid)]
    return tree.length === 2 && { process, tree }
  })
}

describe('a worker that falls', () => {
  test('is back, with the restart in its state', { timeout: LONG }, async () => {
    const world = await workersWorld({ inTmux: true })
    world.define('coder', START)
    await world.run('up', 'coder')
    const first = await world.runs('coder')
    kill(world, first.process)
    const second = await world.other('coder', first)
    expect(second.restarts).toHaveLength(1)
    await world.run('down')
  })

  test('is started again three times, then has failed, and the human is told once', {
    timeout: LONG,
  }, async () => {
    const world = await workersWorld()
    world.define('coder', START, 'exit 3')
    const up = await world.run('up')
    expect(up).toMatchObject({ code: 1 })
    const state = await world.is('coder', 'failed', 30_000)
    expect(state.reason).toContain(
      'it crashed 4 times in 5 minutes; the last time: it ended with exit code 3',
    )
    expect(state.restarts).toHaveLength(3)
    expect(toldOf(world)).toEqual(['"@coder has failed"'])
    world.behave('coder', '')
    expect((await world.run('up', 'coder')).stdout).toMatch(/started/)
    expect(world.state('coder')?.restarts).toEqual([])
    await world.run('down')
  })

  test('that hangs is killed and started again', { timeout: LONG }, async () => {
    const world = await workersWorld()
    world.define('coder', START, 'silent')
    await world.run('up')
    const first = await world.runs('coder')
    kill(world, world.supervisor())
    const beat = new Date(world.bus.clock.now() - 100_000).toISOString()
    writeWorker(world.bus.home, { ...first, beat })
    expect((await world.run('health')).stdout).toMatch(/no sign of life for 1\d\d s/)
    await world.run('up')
    const second = await world.other('coder', first)
    expect(world.bus.processes.isAlive(first.process)).toBe(false)
    expect(second.restarts).toHaveLength(1)
    await world.run('down', '--now')
  })
})

describe('a supervisor that was killed', () => {
  test('leaves workers running, which the next one takes over as they are', {
    timeout: LONG,
  }, async () => {
    const world = await workersWorld({ inTmux: true })
    world.define('coder', START)
    world.define('planner', START)
    await world.run('up')
    const [coder, planner] = [await world.runs('coder'), await world.runs('planner')]
    kill(world, world.supervisor())
    expect((await world.run('health')).stdout).toContain('no supervisor looks after it')
    kill(world, planner.process)
    expect((await world.run('up')).stdout).toContain(
      `✓ @coder is running (pid ${coder.process.pid})`,
    )
    const next = await world.other('planner', planner)
    expect(world.starts('coder')).toBe(1)
    kill(world, next.process)
    await until('planner once more', () => world.starts('planner') === 3)
    kill(world, coder.process)
    await until('coder again', () => world.starts('coder') === 2)
    await world.run('down')
  })
})

describe('a worker for once', () => {
  test('comes when a message is there, ends, and comes back', { timeout: LONG }, async () => {
    const world = await workersWorld()
    world.define('rare', 'persistent: false', 'once')
    expect((await world.run('up')).stdout).toContain('no agent starts by itself')
    expect(world.starts('rare')).toBe(0)
    for (const time of [1, 2]) {
      const sent = await world.run('send', '@rare', 'work', '--as', 'human')
      expect(sent).toMatchObject({ code: 0 })
      await until(`start ${time}`, () => world.starts('rare') === time)
      await world.is('rare', 'stopped')
    }
    await world.run('down', 'rare')
    await world.run('send', '@rare', 'work', '--as', 'human')
    await world.run('down')
    expect(world.starts('rare')).toBe(2)
  })

  test('leaves a session of its name the messages until that has left', {
    timeout: LONG,
  }, async () => {
    const world = await workersWorld()
    for (const name of ['rare', 'other']) world.define(name, 'persistent: false', 'once')
    register(world.bus.home, 'rare')
    const sessions = JSON.parse(readFileSync(world.bus.home.sessions, 'utf8'))
    sessions.rare.agent = { pid: 2, started: 'long ago' }
    writeFileSync(world.bus.home.sessions, JSON.stringify(sessions))
    await world.run('up')
    const say = (to: string) => world.run('send', `@${to}`, 'work', '--as', 'human')
    await say('rare')
    await say('other')
    await world.is('other', 'stopped')
    expect(world.starts('rare')).toBe(0)
    expect((await world.run('ask', '@rare', 'work?', '--as', 'human')).code).toBe(4)
    await world.run('leave', 'rare')
    await say('rare')
    await until('a start', () => world.starts('rare') === 1)
    await world.run('down')
  })
})
