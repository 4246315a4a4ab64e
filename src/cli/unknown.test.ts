import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { agentsWith } from '../testing/agent.ts'
import { runCli } from '../testing/cli.ts'
import { tempDirectory, tempHome } from '../testing/home.ts'

/** PATH has no tmux, so whatever is taken for a session's name gets no further than that. */
const run = (args: string[], home = tempDirectory()) =>
  runCli(args, { home, env: { PATH: '/nowhere' } })

describe('what newcomers type is answered with what to type', () => {
  test.each([
    ['chat', 'did you mean: agent-chat console\n'],
    ['version', 'did you mean: agent-chat --version\n'],
    ['read', 'did you mean: agent-chat inbox'],
    ['run frontend', 'did you mean: agent-chat start frontend\n'],
    ['decide 1 2', 'did you mean: agent-chat reply\n'],
    ['handover @frontend', 'did you mean: agent-chat send @frontend --handover\n'],
    ['decisions', 'did you mean: agent-chat who human\n'],
    ['new-session -s frontend', 'did you mean: agent-chat start frontend\n'],
    ['kill-session -t frontend', 'did you mean: agent-chat stop frontend\n'],
    ['exit-codes', 'did you mean: agent-chat help exit-codes\n'],
    ['WHO', 'did you mean: agent-chat who\n'],
    ['stop all', 'to stop every session: agent-chat stop --all\n'],
    [
      'start frontend claude',
      "put the agent's own options after two dashes: agent-chat start frontend -- claude\n",
    ],
    [
      'start Backend2 --model opus',
      "put the agent's own options after two dashes: agent-chat start backend2 -- --model opus\n",
    ],
    [
      'start b --detach c',
      "put the agent's own options after two dashes: agent-chat start b -- c\n",
    ],
    ['update', 'update it where it was installed: git pull in its folder, or '],
    ['config', 'did you mean: agent-chat help environment\n'],
    ['uninstall', 'for an agent: agent-chat setup --agent codex --remove; the rest is in docs/'],
    ['approve frontend backend', 'agent-chat approve @frontend --as backend; see: '],
    ['watch-file a.txt @frontend', 'agent-chat watch-file a.txt --notify @frontend; see: '],
    ['doctor --fix', 'doctor repairs what is safe to repair: agent-chat doctor; see: '],
    ['tasks --all', 'tasks lists all of them: agent-chat tasks; see: '],
    ['health -a', 'health lists all of them: agent-chat health; see: '],
    ['history --all', 'to write all messages: agent-chat export --out -; see: '],
    ['start web', 'web is a command; choose another name for a session, for example: web-app\n'],
    ['join me --no-watch', 'me is a word with a meaning here; choose another name'],
    ['blocked', 'did you mean: agent-chat gate\n'],
    ['mute', 'did you mean: agent-chat pause\n'],
    ['whois frontend', 'did you mean: agent-chat who frontend\n'],
    ['open', 'did you mean: agent-chat start <name>\n'],
    ['kill @frontend', 'did you mean: agent-chat stop frontend\n'],
    ['tell frontend hello', 'did you mean: agent-chat send @frontend "…"\n'],
    ['help nosuch', 'see: agent-chat --help'],
    ['help snd', 'did you mean: agent-chat send\n'],
    ['Frontend', 'for a session, in small letters: agent-chat start frontend; '],
    ['front_end x', 'for a session, in small letters: agent-chat start front-end; '],
    [
      'frontend hello',
      'to start a session of this name: agent-chat start frontend; to write to it: agent-chat send @frontend "…"; ',
    ],
    [
      '@frontend hello',
      'to start a session of this name: agent-chat start frontend; to write to it: agent-chat send @frontend "…"; ',
    ],
    [
      'frontend --model opus',
      "put the agent's own options after two dashes: agent-chat start frontend -- --model opus; ",
    ],
    [
      'frontend --continue',
      "put the agent's own options after two dashes: agent-chat start frontend -- --continue; ",
    ],
    ['who --frob', 'see: agent-chat who --help'],
    ['send --subjekt', 'did you mean --subject? see: agent-chat send --help'],
    ['show', 'for example: agent-chat show k7f3m; see: agent-chat show --help'],
  ])('%s', async (line, hint) => {
    const { code, stdout, stderr } = await run(line.split(' '))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^agent-chat: [^\n]+\n {2}hint: [^\n]+\n$/)
    expect(stderr).toContain(`\n  hint: ${hint}`)
  })
})

test('whoami outside a session hints at what it takes', async () => {
  expect(await run(['whoami'])).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/hint: join first with: agent-chat join <name>; at a terminal /),
  })
})

test.each(['help send', '-h send', '--help send'])('%s is the help of send', async (line) => {
  const { code, stdout } = await run(line.split(' '))
  expect({ code, stdout }).toEqual({ code: 0, stdout: (await run(['send', '--help'])).stdout })
})

describe('a word that may be a command is a name', () => {
  const noTmux = { code: 7, stderr: expect.stringContaining('tmux is not installed') }

  test('with a leading @', async () => expect(await run(['@chat'])).toMatchObject(noTmux))

  test('where a session has it', async () => {
    const { root } = tempHome('chat', 'snd')
    expect(await run(['chat'], root)).toMatchObject(noTmux)
    expect(await run(['snd'], root)).toMatchObject(noTmux)
  })

  test("and what stands behind two dashes is the agent's", async () =>
    expect(await run(['frontend', '--cmd', 'cat', '--', 'list', '--frob'])).toMatchObject(noTmux))
})

describe('habits of other programs just work', () => {
  test.each([
    ['-v', '--version'],
    ['ls', 'who'],
    ['list --json', 'who --json'],
    ['ps', 'who'],
    ['who frontend --json', 'status frontend --json'],
    ['history frontend', 'history --with frontend'],
    ['history @frontend -n 3', 'history 3 --with frontend'],
  ])('%s is %s', async (typed, meant) => {
    const { root } = tempHome('frontend')
    const { code, stdout } = await run(typed.split(' '), root)
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: (await run(meant.split(' '), root)).stdout,
    })
  })

  test('who me is the name that commands speak under', async () => {
    const { root } = tempHome('frontend')
    const env = { PATH: '/nowhere', AGENT_CHAT_NAME: 'frontend' }
    expect(await runCli(['who', 'me'], { home: root, env })).toMatchObject({
      code: 0,
      stdout: '@frontend (by AGENT_CHAT_NAME, not confirmed)\n',
    })
  })

  test.each([
    ['who frontend --all', '--all lists every session'],
    ['history frontend --with backend', '"frontend" and --with name two sessions'],
    ['history 3x', '"3x" is not a number of messages'],
  ])('%s is refused', async (typed, why) => {
    const { root } = tempHome('frontend')
    expect(await run(typed.split(' '), root)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(why),
    })
  })
})

describe('a new name that is one slip from a live session', () => {
  // One letter missing, too many or wrong, or two neighbours swapped; with what else may follow.
  test.each([
    ...['fronted', 'frontendd', 'frantend', 'frontned', 'rontend', 'rfontend', '@fronted'],
    ...[
      'fronted --detach',
      'frontedn --cmd cat',
      'fronted -- --model opus',
      'frontend-',
      'frontenb2',
    ],
  ])('%s is refused', async (typed) => {
    const { bus } = await agentsWith({}, 'frontend', 'frontend2')
    const { code, stderr } = await run(typed.split(' '), bus.home.root)
    const name = typed.split(' ')[0]?.replace('@', '')
    const near = name === 'frontenb2' ? 'frontend2' : 'frontend'
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `agent-chat: there is no session @${name}, but @${near} is running\n  hint: to see it: agent-chat attach ${near}; to start a session of this name: agent-chat start ${name}\n`,
    })
  })

  const noTmux = /tmux is not installed, or not on PATH/
  test.each([
    [
      'frontend',
      ['frontend-2', 'frontend2', 'frontend12', 'backend', 'front', 'fronntendd', 'frtonedn'],
    ],
    ['worker-1', ['worker-2', 'worker2', 'worker-11']],
    ['api', ['apo', 'ape', 'apis2']],
    ['dev1', ['dav1']],
  ])('beside @%s these are started: %j', async (running, names) => {
    const { bus } = await agentsWith({}, running)
    for (const name of names) {
      const { code, stderr } = await run([name], bus.home.root)
      expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringMatching(noTmux) })
      expect(stderr).not.toContain('similar')
    }
  })

  test.each(['start fronted', 'start fronted --detach', 'start @fronted'])(
    '%s starts it, and names the one that runs in one line',
    async (typed) => {
      const { bus } = await agentsWith({}, 'frontend')
      const { code, stderr } = await run(typed.split(' '), bus.home.root)
      expect(code).toBe(7)
      expect(stderr).toMatch(
        /^agent-chat: a session of a similar name is running, @frontend: agent-chat attach frontend\nagent-chat: tmux is not/,
      )
    },
  )

  test.each(['start frontend2', 'start backend', 'start frontend'])(
    '%s names none',
    async (typed) => {
      const { bus } = await agentsWith({}, 'frontend')
      expect((await run(typed.split(' '), bus.home.root)).stderr).not.toContain('similar')
    },
  )

  test('so does a name near a session that has ended, or one that has been there', async () => {
    const { root } = tempHome('frontend')
    expect(await run(['fronted'], root)).toMatchObject({ code: 7 })
    const { bus } = await agentsWith({}, 'frontend')
    const sessions = JSON.parse(readFileSync(bus.home.sessions, 'utf8'))
    const gone = { name: 'fronted', pane: null, agent: { pid: 4_194_305, started: 'long ago' } }
    writeFileSync(bus.home.sessions, JSON.stringify({ ...sessions, fronted: gone }))
    for (const typed of [['fronted'], ['start', 'fronted']]) {
      const { code, stderr } = await run(typed, bus.home.root)
      expect({ code, stderr }).toEqual({
        code: 7,
        stderr: expect.stringMatching(/^[^\n]*tmux is not/),
      })
    }
  })
})

describe('a new name that is one slip from a command', () => {
  test.each([
    ['sned', 'send'],
    ['statr', 'start'],
    ['atach', 'attach'],
    ['inboxx', 'inbox'],
    ['works', 'work'],
    ['webb', 'web'],
    ['watchfile', 'watch-file'],
    ['hsitory --detach', 'history'],
    ['sned --json', 'send'],
  ])('%s is refused', async (typed, command) => {
    const { code, stderr } = await run(typed.split(' '))
    const [name = ''] = typed.split(' ')
    expect(code).toBe(2)
    const [said, hint] = typed.endsWith('json')
      ? Object.values(JSON.parse(stderr).error).slice(1, 3)
      : (/^agent-chat: (.*)\n {2}hint: (.*)\n$/.exec(stderr)?.slice(1) ?? [])
    expect(said).toBe(`there is no command "${name}"`)
    expect(hint).toMatch(new RegExp(`^did you mean: agent-chat ${command}(; .*start ${name})?$`))
  })

  test.each([
    ...['web2', 'task-1', 'work3', 'links2', 'consul', 'taskforce'],
    ...['@sned', 'start sned', 'start works'],
  ])('%s is started', async (typed) => {
    const { code, stderr } = await run(typed.split(' '))
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: expect.stringMatching(/^[^\n]*tmux is not/),
    })
  })
})
