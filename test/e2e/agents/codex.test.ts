import { expect, test } from 'vitest'
import { printed } from './cases.ts'
import { listening } from './ports.ts'
import { model } from './table/stage.ts'
import { agentWorld } from './world.ts'

/** A bubblewrap that runs the command, in no sandbox, and can what Codex looks for. */
const BWRAP = `#!/bin/bash
case "$*" in *--help*) echo 'options: --argv0 VALUE --perms OCTAL'; exit ;; esac
name=
while [ $# -gt 0 ] && [ "$1" != -- ]; do [ "$1" = --argv0 ] && name=$2; shift; done
[ $# -gt 1 ] || exit 0
shift
exec -a "\${name:-$1}" "$@"
`

// All cases: npm run e2e:agents.
test.each([
  ['as it is', {}],
  ['with bubblewrap first on PATH', { bwrap: BWRAP }],
])(
  'two sessions on one configuration each send and read as themselves, %s',
  async (_, programs) => {
    const world = await agentWorld('codex', model, undefined, programs)
    const [, bob] = [await world.start('alice'), await world.start('bob')]
    await bob.submit('RUN agent-chat send @alice "this is bob" && agent-chat who')
    const shown = await world.model.waitFor('what bob printed', printed(/sent \w+ to @alice/))
    expect(shown.results.join('')).toMatch(/@alice .*\n.*@bob/)
    expect(shown.results.join('')).not.toMatch(/gone|no watcher/)
    const heard = await world.model.waitFor('what alice read', printed(/from @bob/))
    expect(heard.prompt).toBe('New message from @bob. Check inbox.')
    expect(heard.results.join('')).toContain('this is bob')
    expect(await world.chat('history')).toMatch(/@bob → @alice/)
    expect(await listening(world.env.AGENT_CHAT_HOME ?? '')).toEqual([])
  },
)
