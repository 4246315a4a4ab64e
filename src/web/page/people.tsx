import type { Person } from '../wire.ts'
import { Name } from './name.tsx'
import { ago } from './time.ts'

type Props = {
  people: Person[]
  ready: boolean
  time: number
  write: (to: string) => void
  open: (id: string) => void
}

/** Sessions and workers in the order of their names: a row never moves. */
export function People({ people, ready, time, write, open }: Props) {
  return (
    <section class="panel people" aria-labelledby="now">
      <h2 id="now">Now</h2>
      {ready && people.length === 0 && (
        <p class="empty">Nobody is here. Start a session with: agent-chat start backend</p>
      )}
      <ul>
        {people.map((person) => (
          <li key={person.name}>
            <PersonRow {...{ person, time, write, open }} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function PersonRow({
  person,
  time,
  write,
  open,
}: Omit<Props, 'people' | 'ready'> & { person: Person }) {
  const { name, worker, state, since, unread, held, waits, task, tasks, cost, message } = person
  const more = tasks > 1 ? ` and ${tasks - 1} more` : ''
  return (
    <div class="person">
      <button
        type="button"
        class="who"
        data-stop
        title={`Write to @${name}`}
        onClick={() => write(name)}
      >
        <Name name={name} />
        {worker && <span class="tag">worker</span>}
      </button>
      <span class={`activity ${state}`}>
        {state} <span class="muted">{ago(since, time)}</span>
      </span>
      {task && <span class="line">{`task: ${task}${more}`}</span>}
      {waits && <span class="line muted">{waits}</span>}
      <span class="line muted counts">
        {unread > 0 && <b>{`${unread} unread`}</b>}
        {held > 0 && <b>{`${held} held`}</b>}
        {cost && <span>{spent(cost)}</span>}
        {message && (
          <button type="button" class="link" onClick={() => open(message)}>
            what it says now
          </button>
        )}
      </span>
    </div>
  )
}

function spent({ tokens, usd }: NonNullable<Person['cost']>): string {
  return `${short(tokens)} tokens${usd === null ? '' : ` · $${usd.toFixed(2)}`} today`
}

function short(count: number): string {
  if (count < 1000) return String(count)
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}
