import { expect, test } from 'vitest'
import { placeWith } from '../../testing/place.ts'
import { effectOfTool, isWork, schedules } from './tool.ts'

const call = (name: string, input: Record<string, unknown> = {}) => ({ name, input })
const own = placeWith()
const other = placeWith({ isOwn: () => false })
const aside = (command: string, run_in_background: unknown = true) =>
  call('Bash', { command, run_in_background })
const bash = (command: unknown) => call('Bash', { command })

test.each([
  [bash('ls'), 'reading'],
  [bash('agent-chat inbox'), 'own'],
  [bash('touch x'), 'changing'],
  [bash(undefined), 'changing'],
  [bash(['ls']), 'changing'],
  [call('Monitor', { command: 'tail -F log' }), 'changing'],
  [call('Monitor', { command: 'agent-chat history --follow' }), 'changing'],
  [call('Monitor', { command: "agent-chat ask @backend 'Is it so?'" }), 'own'],
  [aside('agent-chat ask @backend "Is it so?" --timeout 900'), 'own'],
  [aside("agent-chat ask @backend <<'END'\nIs it so?\nEND"), 'own'],
  [aside('agent-chat ask @backend x; agent-chat history --follow'), 'changing'],
  [aside('agent-chat ask @backend x | tail -f log'), 'changing'],
  [aside('agent-chat ask @backend "$(touch x)"'), 'changing'],
  [aside('agent-chat history --follow'), 'changing'],
  [aside('agent-chat inbox'), 'changing'],
  [aside('tail -F log'), 'changing'],
  [aside('ls', 'true'), 'changing'],
  [aside('ls', false), 'reading'],
  [call('Monitor', { command: 'while true; do touch x; done' }), 'changing'],
  [call('PowerShell', { command: 'Remove-Item x' }), 'changing'],
  [call('Write', { file_path: 'x' }), 'changing'],
  [call('Edit'), 'changing'],
  [call('NotebookEdit'), 'changing'],
  [call('EnterWorktree'), 'changing'],
  [call('SendMessage', { to: 'x', message: 'y' }), 'changing'],
  [call('ScheduleWakeup', { prompt: 'later' }), 'changing'],
  [call('CronCreate', { cron: '* * * * *', prompt: 'later', recurring: true }), 'changing'],
  [call('ScheduleWakeup'), 'changing'],
  [call(''), 'changing'],
  [call('mcp__github__get_issue'), 'reading'],
  [call('mcp__github__list-issues'), 'reading'],
  [call('mcp__files__read'), 'reading'],
  [call('mcp__github__create_issue'), 'changing'],
  [call('mcp__db__query'), 'changing'],
  [call('mcp__files__search_and_replace'), 'changing'],
  [call('mcp__files__get_or_create'), 'changing'],
  [call('mcp__files__read_then_mark-done'), 'changing'],
  [call('mcp__get__x__write'), 'changing'],
  [call('mcp__x__getaway'), 'changing'],
  [call('mcp__x__'), 'changing'],
])('%j is %s', (tool, effect) => expect(effectOfTool(tool, own)).toBe(effect))

test.each([
  ...[
    'pull_request_read',
    'issue_read',
    'discussion-read',
    'docs_search',
    'repo_list',
    'page_view',
  ],
  ...[
    'query-docs',
    'resolve-library-id',
    'browser_snapshot',
    'getIssue',
    'searchJiraIssuesUsingJql',
  ],
  ...['find_pages', 'list_recent_builds', 'get_latest_release', 'lookup-user', 'read', 'user_get'],
])('an MCP tool that is called %s reads', (name) =>
  expect(effectOfTool(call(`mcp__server__${name}`), own)).toBe('reading'),
)

test.each([
  ...[
    'mark_as_read',
    'mark-read',
    'markAsRead',
    'set_read',
    'toggle_read',
    'flag_read',
    'unflag_read',
  ],
  ...[
    'notifications_mark_read',
    'pull_request_write',
    'issue_read_write',
    'list_clear',
    'listClear',
  ],
  ...['add_to_list', 'append_list', 'save_search', 'share_view', 'refresh_view', 'subscribe_list'],
  ...['getOrCreate', 'get_and_delete', 'createIssue', 'query', 'query_docs', 'snapshot', 'resolve'],
  ...[
    'resolve-thread',
    'browser_click',
    'browser_snapshot_save',
    'create_snapshot',
    'readme',
    'list.x',
  ],
  ...[
    'move_to_list',
    'search_reindex',
    'view_rebuild',
    'import_list',
    'x__read',
    'toggle__read',
    '_read',
  ],
  ...['readFileThenRun', 'list things', 'get\n', 'gelesen_read\u00e9', 'read_'],
])('an MCP tool that is called %j may do more', (name) =>
  expect(effectOfTool(call(`mcp__server__${name}`), own)).toBe('changing'),
)

test.each([
  'Frobnicate',
  'read',
  'Readme',
  'toString',
  '__proto__',
  'Read Glob',
  ' Read',
  'mcp__x',
])('a tool that nobody listed changes something: %j', (name) =>
  expect(effectOfTool(call(name), own)).toBe('changing'),
)

test.each(['Bash', 'PowerShell'])(
  'git, run by %s in another repository, may change things',
  (name) => {
    expect(effectOfTool(call(name, { command: 'git status' }), other)).toBe('changing')
    expect(effectOfTool(call(name, { command: 'ls' }), other)).toBe(
      effectOfTool(call(name, { command: 'ls' }), own),
    )
  },
)

test.each([
  'agent-chat inbox',
  "agent-chat send @backend 'it pages now'",
  'agent-chat history 5 --json',
])('in PowerShell %s is ours', (command) => {
  expect(effectOfTool(call('PowerShell', { command }), own)).toBe('own')
  expect(isWork(call('PowerShell', { command }))).toBe(false)
})

test.each([
  'ls',
  'cat log.txt -Wait',
  'echo "a\u201d ; Remove-Item x ; echo \u201cb"',
  'agent-chat send @x "a\u201d; Remove-Item x; echo \u201cb"',
  "agent-chat send @x 'a\u2019; Remove-Item x; echo \u2019b'",
  "agent-chat send @x 'a''; Remove-Item x; ''b'",
  'agent-chat send @x "$(Remove-Item x)"',
  'agent-chat inbox; Remove-Item x',
  'agent-chat inbox | Remove-Item',
  'agent-chat inbox > x',
  'agent-chat inbox\nRemove-Item x',
  'agent-chat send @x (Remove-Item y)',
  'agent-chat send --% x; y',
  'agent-chat history --follow',
  "agent-chat history '--follow'",
  'agent-chat join x',
])('in PowerShell %j asks', (command) =>
  expect(effectOfTool(call('PowerShell', { command }), own)).toBe('changing'),
)

test('work is what is no talk, plan or message of our own', () => {
  for (const tool of [
    bash('npm test'),
    bash('cat x'),
    call('Edit'),
    call('Read'),
    call('Agent'),
    call('mcp__a__get'),
  ])
    expect([tool.name, isWork(tool)]).toEqual([tool.name, true])
  for (const tool of [
    bash('agent-chat inbox'),
    call('SendMessage'),
    call('TodoWrite'),
    call('Skill'),
    call('ToolSearch'),
  ])
    expect([tool.name, isWork(tool)]).toEqual([tool.name, false])
})

test('a scheduled prompt is known by its words', () => {
  expect(schedules(call('CronCreate', { prompt: ' look again ' }))).toBe('look again')
  expect(schedules(call('Agent', { prompt: 'x' }))).toBeUndefined()
  expect(schedules(call('ScheduleWakeup', { prompt: 7 }))).toBeUndefined()
})
