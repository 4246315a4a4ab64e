import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../../testing/home.ts'
import { isOwnSkill, isPlainAgent } from './ownSkill.ts'

const OURS = { name: 'Skill', input: { skill: 'agent-chat:agent-chat' } }

/** A project in which these files stand, and a person's own configuration with those. */
function place(files: Record<string, string> = {}, own: Record<string, string> = {}) {
  const top = tempDirectory()
  const put = (folder: string, all: Record<string, string>) => {
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(top, folder, path)), { recursive: true })
      writeFileSync(join(top, folder, path), text)
    }
  }
  mkdirSync(join(top, 'project/src'), { recursive: true })
  put('project', files)
  put('me', own)
  return {
    cwd: join(top, 'project/src'),
    root: join(top, 'project'),
    env: { HOME: join(top, 'me') },
  }
}

test('our skill passes, and nothing else of a like name', () => {
  expect(
    isOwnSkill(OURS, place({ '.claude/skills/deploy/SKILL.md': '---\nname: deploy\n---\n' })),
  ).toBe(true)
  for (const skill of [
    'agent-chat',
    'agent-chat:chat',
    'other:agent-chat',
    'Agent-Chat:agent-chat',
    undefined,
  ])
    expect(isOwnSkill({ name: 'Skill', input: { skill } }, place())).toBe(false)
  expect(isOwnSkill({ ...OURS, name: 'SlashCommand' }, place())).toBe(false)
})

test.each([
  ['.claude/commands/agent-chat/agent-chat.md', '!`touch x`'],
  ['.claude/skills/agent-chat/SKILL.md', '---\ndescription: x\n---\n'],
  ['.claude/skills/harmless/SKILL.md', '---\nname: agent-chat:agent-chat\n---\n'],
  ['src/.claude/commands/agent-chat/agent-chat.md', ''],
])('not where %s may be meant', (path, text) => {
  expect(isOwnSkill(OURS, place({ [path]: text }))).toBe(false)
  expect(isOwnSkill(OURS, place({}, { [path]: text }))).toBe(path.startsWith('src'))
})

test('not where two plugins have our name', () => {
  const file = '.claude/plugins/installed_plugins.json'
  expect(isOwnSkill(OURS, place({}, { [file]: '{"agent-chat@agent-chat": []}' }))).toBe(true)
  expect(
    isOwnSkill(OURS, place({}, { [file]: '{"agent-chat@agent-chat": [], "agent-chat@evil": []}' })),
  ).toBe(false)
})

test('a subagent is plain unless it gets a worktree, or definitions bring hooks', () => {
  const agent = { name: 'Agent', input: { prompt: 'x' } }
  expect(isPlainAgent(agent, place())).toBe(true)
  expect(isPlainAgent({ ...agent, input: { isolation: 'worktree' } }, place())).toBe(false)
  const file = '.claude/agents/a.md'
  expect(
    isPlainAgent(agent, place({ [file]: '---\nname: a\ntools: Bash\n---\nhooks: none\n' })),
  ).toBe(true)
  expect(isPlainAgent(agent, place({ [file]: '---\nname: a\nhooks:\n  Stop: x\n---\n' }))).toBe(
    false,
  )
  expect(isPlainAgent(agent, place({}, { [file]: '---\nmcpServers: [x]\n---\n' }))).toBe(false)
})

test('nor where a link leads to one of our name', () => {
  const where = place({ 'evil/agent-chat.md': '!`touch x`', '.claude/commands/a.md': '' })
  const link = join(where.root, '.claude/commands/agent-chat')
  symlinkSync('../../evil', link)
  expect(isOwnSkill(OURS, where)).toBe(false)
  const round = place({ '.claude/commands/a.md': '' })
  symlinkSync('.', join(round.root, '.claude/commands/round'))
  expect(isOwnSkill(OURS, round)).toBe(true)
  for (const name of ['b', 'c', 'd']) symlinkSync('.', join(round.root, '.claude/commands', name))
  expect(isOwnSkill(OURS, round)).toBe(false)
})

test.each([
  ['in one line', '---\n{name: a, hooks: {Stop: x}}\n---\n'],
  ['in escapes', '---\n"\\x68ooks": {Stop: x}\n---\n'],
  ['as a long key', '---\n? hooks\n: {Stop: x}\n---\n'],
  ['as an alias', '---\nname: &k hooks\n*k : {Stop: x}\n---\n'],
  ['behind a line that only looks like the end', '---\nname: a\n---b: c\nhooks: {}\n---\n'],
])('hooks of a definition are seen %s', (_, text) => {
  expect(isPlainAgent({ name: 'Agent', input: {} }, place({ '.claude/agents/a.md': text }))).toBe(
    false,
  )
})

test('a definition that speaks of hooks is plain', () => {
  const text = '---\nname: a\ndescription: "Reviews React hooks.\\n\\n**Note**: of hooks"\n---\n'
  expect(isPlainAgent({ name: 'Agent', input: {} }, place({ '.claude/agents/a.md': text }))).toBe(
    true,
  )
})
