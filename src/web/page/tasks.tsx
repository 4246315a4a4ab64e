import { useEffect, useState } from 'preact/hooks'
import type { TaskCard } from '../wire.ts'
import { api, type Refused } from './api.ts'
import { Name } from './name.tsx'
import { ago } from './time.ts'

const COLUMNS: [title: string, states: string[]][] = [
  ['Sent', ['sent']],
  ['Accepted', ['accepted']],
  ['Working', ['working']],
  ['Done', ['done']],
  ['Failed or declined', ['failed', 'declined']],
]

/** The tasks by state. `mark` changes with each message: tasks change by nothing else. */
export function Tasks({
  mark,
  time,
  open,
}: {
  mark: string
  time: number
  open: (id: string) => void
}) {
  const [tasks, setTasks] = useState<TaskCard[] | undefined>()
  const [failed, setFailed] = useState('')
  useEffect(() => {
    api.tasks().then(setTasks, ({ message }: Refused) => setFailed(message))
  }, [mark])
  if (failed !== '' && tasks === undefined) return <p class="bad">{failed}</p>
  return (
    <section class="panel" aria-labelledby="tasks">
      <h2 id="tasks">Tasks</h2>
      {tasks?.length === 0 && <p class="empty">No tasks yet. Give one with Write.</p>}
      <div class="board">
        {COLUMNS.map(([title, states]) => {
          const own = (tasks ?? []).filter(({ state }) => states.includes(state))
          return (
            <section key={title} aria-label={title}>
              <h3>
                {title} <span class="muted">{own.length}</span>
              </h3>
              <ul>
                {own.map((task) => (
                  <li key={task.id}>
                    <button type="button" class="card" data-stop onClick={() => open(task.id)}>
                      <span class="title">{task.title}</span>
                      <span class="muted">
                        <Name name={task.from} /> → <Name name={task.to} /> {ago(task.since, time)}
                      </span>
                      {task.came.map((line) => (
                        <span key={line} class="muted">
                          {line}
                        </span>
                      ))}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
      </div>
    </section>
  )
}
