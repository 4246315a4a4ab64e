import { MAIL_RULES } from '../agents/allowed.ts'
import type { Bus } from '../bus/bus.ts'
import { readSessions } from '../bus/names/registry.ts'
import { type ClientPlace, settingsOf } from '../session/clientSettings.ts'
import { believedState } from '../session/stateFile.ts'
import type { Check } from '../setup/check.ts'
import { argumentsOf, environmentOf } from '../system/commandLine.ts'
import { fieldOf } from '../system/json.ts'
import { userHome } from '../system/user.ts'

/**
 * Sessions of Claude Code that `start` did not start, in which a dialog is between a message and
 * its reader: the line that takes it away.
 */
export function checkMail(bus: Bus): Check[] {
  const asking = Object.values(readSessions(bus.home)).flatMap(({ name, program, cwd }) => {
    const agent = believedState(bus.home, name, bus.processes)?.agent
    if (program !== undefined || !agent) return []
    const env = environmentOf(agent.pid) ?? {}
    const argv = argumentsOf(agent.pid) ?? []
    return asksForMail({ env, userHome: userHome(env), cwd, argv }) ? [`@${name}`] : []
  })
  if (asking.length === 0) return []
  const rules = MAIL_RULES.map((rule) => JSON.stringify(rule)).join(', ')
  return [
    {
      name: 'mail',
      status: 'warning',
      detail: `Claude Code asks before ${asking.join(', ')} may read a message`,
      hint: `add to your ~/.claude/settings.json: "permissions": { "allow": [${rules}] }`,
    },
  ]
}

/** Rules under which our `inbox` runs without a dialog. */
const LET_PASS = [MAIL_RULES[0], 'Bash', 'Bash(*)', 'Bash(agent-chat:*)', 'Bash(agent-chat *)']
const NO_DIALOGS = ['bypassPermissions', '--dangerously-skip-permissions']

/** Whether this Claude Code asks before it runs our `inbox`, by its flags and settings. */
export function asksForMail(place: ClientPlace): boolean {
  // A list of rules may be one word with commas between.
  const words = place.argv.flatMap((word) => word.split(/,\s*(?![^(]*\))/))
  const allowed = settingsOf(place).flatMap(({ value }) => {
    const rules = fieldOf(fieldOf(value, 'permissions'), 'allow')
    return Array.isArray(rules) ? rules : []
  })
  if (NO_DIALOGS.some((word) => place.argv.includes(word))) return false
  return !LET_PASS.some((rule) => words.includes(String(rule)) || allowed.includes(rule))
}
