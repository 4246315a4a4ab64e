import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Person } from '../wire.ts'
import { api, newKey, type Refused } from './api.ts'

const HOW: [how: string, title: string][] = [
  ['send', 'Message'],
  ['ask', 'Question'],
  ['task', 'Task'],
]

/** A new message, question or task, with files by their paths. */
export function Write({
  to,
  people,
  open,
}: {
  to: string
  people: Person[]
  open: (id: string) => void
}) {
  const [name, setName] = useState(to || (people[0]?.name ?? ''))
  const [how, setHow] = useState('send')
  const [text, setText] = useState('')
  const [files, setFiles] = useState('')
  const [key] = useState(newKey)
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  const toField = useRef<HTMLInputElement>(null)
  const textField = useRef<HTMLTextAreaElement>(null)
  // Before the next key: a letter that comes first would be taken for a shortcut. A click on another
  // name changes the name alone.
  useLayoutEffect(() => {
    if (to === '') return toField.current?.select()
    setName(to)
    textField.current?.focus()
  }, [to])
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    const attach = files
      .split('\n')
      .map((path) => path.trim())
      .filter((path) => path !== '')
    try {
      const { id } = await api.act('say', { how, to: name, text, attach, key })
      if (id !== undefined) open(id)
    } catch (error) {
      const { message, hint } = error as Refused
      setSaid(`${message} (${hint})`)
      setBusy(false)
    }
  }
  return (
    <form class="write" onSubmit={submit}>
      <label for="to">To</label>
      <input
        ref={toField}
        id="to"
        list="names"
        required
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <datalist id="names">
        {people.map((person) => (
          <option key={person.name} value={person.name} />
        ))}
      </datalist>
      <fieldset>
        <legend class="sr">Kind</legend>
        {HOW.map(([one, title]) => (
          <label key={one} class="choice">
            <input
              type="radio"
              name="how"
              value={one}
              checked={how === one}
              onChange={() => setHow(one)}
            />
            {title}
          </label>
        ))}
      </fieldset>
      <label for="text">Text</label>
      <textarea
        ref={textField}
        id="text"
        rows={7}
        required
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <label for="files">Files, one path a line</label>
      <textarea
        id="files"
        rows={2}
        value={files}
        onInput={(event) => setFiles(event.currentTarget.value)}
      />
      <div class="end">
        <span class="bad" role="alert">
          {said}
        </span>
        <button type="submit" class="primary" disabled={busy || text.trim() === ''}>
          Send
        </button>
      </div>
    </form>
  )
}
