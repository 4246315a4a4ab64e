import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { filesIn } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { treeOf } from '../../src/worker/tree.ts'
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
  test('start what starts by itself, tell each pid, and end all of it', { timeout: LONG }, async () => {
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
    const second = await until('another process', () => {
      const now = world.state('coder')
      return now && now.process.pid !== first.process.pid && now
    })
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
    world.define('coder', START, 'stubborn')
    await world.run('up')
    const { process } = await world.runs('coder')
    const { stdout } = await world.run('down', 'coder', '--now')
    expect(stdout).toBe('stopped @coder; it did not end when asked, so it was killed\n')
    expect(world.bus.processes.isAlive(process)).toBe(false)
    expect(world.supervisor()).toBeDefined()
    await world.run('down')
  })
})

describe('a worker that falls', () => {
  test('is back within a second, and what it left is ended first', { timeout: LONG }, async () => {
    const world = await workersWorld({ inTmux: true })
    world.define('coder', START, 'tree')
    await world.run('up', 'coder')
    const first = await until('the tool', () => {
      const now = world.state('coder')
      const tree = now?.client && treeOf(world.bus.processes, now.client)
      return tree?.length === 2 && { ...now, process: now.process, tree }
    })
    const began = performance.now()
    kill(world, first.process)
    const second = await until('another process', () => {
      const now = world.state('coder')
      return now && now.process.pid !== first.process?.pid && world.bus.processes.isAlive(now.process) && now
    })
    console.log(`restart after kill -9: ${Math.round(performance.now() - began)} ms`)
    for (const ref of first.tree) expect(world.bus.processes.isAlive(ref)).toBe(false)
    expect(second.restarts).toHaveLength(1)
    await world.run('down')
    expect(second.client && world.bus.processes.isAlive(second.client)).toBe(false)
  })

  test('is started again three times, then has failed, and the human is told once', { timeout: LONG }, async () => {
    const world = await workersWorld()
    world.define('coder', START, 'exit 3')
    const up = await world.run('up')
    expect(up).toMatchObject({ code: 1 })
    const state = await world.is('coder', 'failed', 30_000)
    expect(state.reason).toContain('it crashed 4 times in 5 minutes; the last time: it ended with exit code 3')
    expect(state.restarts).toHaveLength(3)
    expect(toldOf(world)).toEqual(['"@coder has failed"'])
    world.behave('coder', '')
    expect((await world.run('up', 'coder')).stdout).toMatch(/started/)
    expect(world.state('coder')?.restarts).toEqual([])
    await world.run('down')
  })

  test('that hangs is killed and started again', { timeout: LONG }, async () => {
    const world = await workersWorld()
    world.define('coder', START, 'hung')
    await world.run('up')
    const state = await until('a restart', () => {
      const now = world.state('coder')
      return now && now.restarts.length > 0 && now
    }, 20_000)
    expect(world.starts('coder')).toBeGreaterThan(1)
    expect(state.name).toBe('coder')
    await world.run('down', '--now')
  })
})

describe('a supervisor that was killed', () => {
  test('leaves workers running, which the next one takes over as they are', { timeout: LONG }, async () => {
    const world = await workersWorld({ inTmux: true })
    world.define('coder', START)
    world.define('planner', START)
    await world.run('up')
    const [coder, planner] = [await world.runs('coder'), await world.runs('planner')]
    kill(world, world.supervisor())
    expect((await world.run('health')).stdout).toContain('no supervisor looks after it')
    kill(world, planner.process)
    expect((await world.run('up')).stdout).toContain(`✓ @coder is running (pid ${coder.process.pid})`)
    const next = await until('planner again', () => {
      const now = world.state('planner')
      return now && now.process.pid !== planner.process.pid && now
    })
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
})
