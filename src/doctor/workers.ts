import type { Bus } from '../bus/bus.ts'
import { shownWorker, supervisorOf, workerNames } from '../session/workers.ts'
import type { Check } from '../setup/check.ts'

/** The workers that have run here: those that have failed or crashed, and who looks after the rest. */
export function checkWorkers(bus: Bus): Check[] {
  const names = workerNames(bus.home)
  if (names.length === 0) return []
  const workers = names.map((name) => ({ name, shown: shownWorker(bus, name) }))
  const running = workers.filter(({ shown }) => shown?.runs)
  const supervisor = supervisorOf(bus)
  const down = workers.flatMap(({ name, shown }): Check[] => {
    if (shown?.activity !== 'failed' && shown?.activity !== 'crashed') return []
    const detail = `@${name} has ${shown.activity}${shown.reason ? `: ${shown.reason}` : ''}`
    const hint = `see why with: agent-chat logs ${name}; start it again with: agent-chat restart ${name}`
    return [{ name: 'worker', status: 'warning', detail, hint }]
  })
  const looked = supervisor ? `supervised by process ${supervisor.pid}` : 'no supervisor'
  const detail = `${names.length} known, ${running.length} running, ${looked}`
  const alone = running.length > 0 && supervisor === undefined
  const check: Check = alone
    ? { name: 'workers', status: 'warning', detail, hint: 'supervise them with: agent-chat up' }
    : { name: 'workers', status: 'ok', detail }
  return [check, ...down]
}
