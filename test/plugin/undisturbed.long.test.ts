import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../src/testing/cli.ts'
import { tempDirectory } from '../../src/testing/home.ts'
import { leftOut } from '../../src/testing/leftOut.ts'
import { plugin } from './broken.ts'

type Hook = { command: string; args: string[] }

const { hooks } = JSON.parse(readFileSync(join(ROOT, 'hooks/hooks.json'), 'utf8'))
const HOOKS = Object.values<{ hooks: Hook[] }[]>(hooks).flatMap((groups) =>
  groups.flatMap((group) => group.hooks),
)

/** The guard of this hook, as hooks.json has it. */
const guardOf = (word: string) => HOOKS.find(({ args }) => args.at(-1) === word)?.args[1] ?? ''

/** A Claude Code that never joined: a shell, with each hook its child. It says what disturbs it. */
const CLIENT = `
export CLAUDE_PID=$$
hook() { /bin/sh -c "$1" "$ENTRY" --hook "$2" <"$PAYLOAD"; }
calls() {
  at=0
  while [ $((at += 1)) -le "$1" ]; do
    hook "$PROMPT" user-prompt-submit || echo "prompt $at ended with $?"
    hook "$TOOL" pre-tool-use || echo "tool $at ended with $?"
  done
}
[ -n "$UNMARKED" ] || hook "$START" session-start >/dev/null
$BREAK
calls "$COUNT"
echo ended
`

/** How it is broken once the session has begun, or before; \`count\`: of prompts, and of tools. */
const BROKEN: [what: string, broken: string, more: { count: number; unmarked?: true }][] = [
  ['nothing', ':', { count: 100 }],
  ['Node gone', '/bin/rm "$BIN/node"', { count: 100 }],
  ['Node gone before its start', '/bin/rm "$BIN/node"', { count: 100, unmarked: true }],
  ['the plugin gone', '/bin/rm -r "$PLUGIN"', { count: 100 }],
  ['a home that takes no byte more', 'ulimit -f 0', { count: 100 }],
  ['a home that is gone', '/bin/rm -r "$AGENT_CHAT_HOME"', { count: 3 }],
  ['a registry that is torn', 'printf { >"$AGENT_CHAT_HOME/sessions.json"', { count: 100 }],
  [
    'a registry that is torn, and Node gone',
    'printf { >"$AGENT_CHAT_HOME/sessions.json"; /bin/rm "$BIN/node"',
    { count: 100 },
  ],
  ['a home that takes no byte more before its start', 'ulimit -f 0', { count: 3, unmarked: true }],
]

test.each(BROKEN)(
  'prompts and tools of a session that never joined go on undisturbed: %s',
  leftOut(process.platform !== 'linux' && 'it is for Linux'),
  (_, broken, { count, unmarked }) => {
    const { root, bin, entry } = plugin()
    const home = join(tempDirectory(), 'agent-chat')
    mkdirSync(home)
    const other = { name: 'backend', agent: { pid: 4_194_305, started: 'long ago' } }
    writeFileSync(join(home, 'sessions.json'), JSON.stringify({ backend: other }))
    const given = join(tempDirectory(), 'payload.json')
    const payload = { tool_name: 'Bash', tool_input: { command: 'rm x' }, prompt: 'go on' }
    writeFileSync(given, JSON.stringify(payload))
    const { status, stdout, stderr } = spawnSync(
      '/bin/sh',
      ['-c', CLIENT.replace('$BREAK', broken)],
      {
        env: {
          ...{ PATH: bin, HOME: tempDirectory(), AGENT_CHAT_HOME: home, BIN: bin, PLUGIN: root },
          ...{
            CLAUDE_PLUGIN_DATA: tempDirectory(),
            PAYLOAD: given,
            ENTRY: entry,
          },
          ...{ START: guardOf('session-start'), PROMPT: guardOf('user-prompt-submit') },
          ...{ TOOL: guardOf('pre-tool-use'), COUNT: String(count), UNMARKED: unmarked ? '1' : '' },
        },
        encoding: 'utf8',
      },
    )
    expect([status, stderr, stdout]).toEqual([0, '', 'ended\n'])
  },
)
