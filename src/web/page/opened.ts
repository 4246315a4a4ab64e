import { useEffect, useRef, useState } from 'preact/hooks'
import type { AwayLine } from '../../feed/awayText.ts'
import { api, type Refused } from './api.ts'
import { step } from './keys.ts'
import type { Shows } from './pane.tsx'
import { type InboxRow, isOpen, partsOf, stay, tidy } from './state.ts'
import type { Store } from './store.ts'

/** What is open beside the rows, and what keys and clicks do with a row. `say`: a line to the human. */
export function useOpened(store: Store, say: (text: string) => void) {
  const [pane, setPane] = useState<Shows | undefined>()
  // What a timer or a blur asks for is of another drawing.
  const shows = useRef(pane)
  shows.current = pane
  const isHere = (key: string) =>
    key === shows.current?.key ||
    document.activeElement?.closest<HTMLElement>('.row')?.dataset.key === key
  const letGo = () => store.change((before) => tidy(before, isHere))
  useEffect(letGo, [pane])
  const close = () => setPane(undefined)
  const openRow = ({ key, thread }: InboxRow, chosen?: { option: number }) => {
    say('')
    if (thread) store.change((before) => stay(before, { key, said: '' }))
    if (thread) setPane({ id: thread.ids.at(-1) ?? thread.root, key })
    else setPane({ need: true, key, ...(chosen && { chosen }) })
  }
  const openAll = ([id, ...rest]: string[]) => id !== undefined && setPane({ id, rest })
  const act = (name: string, fields: Record<string, unknown> = {}) =>
    void api.act(name, fields).catch(({ message }: Refused) => say(message))
  const rowOf = (key: string) =>
    store
      .state()
      .inbox.find((row) => row.key === key || (row.need && 'id' in row.need && row.need.id === key))
  return {
    ...{ pane, setPane, close, openRow, openAll },
    left: () => void setTimeout(letGo),
    /** A row was dealt with a moment ago. */
    over: (key: string) => {
      setPane((open) => (open?.key === key ? undefined : open))
      setTimeout(letGo)
    },
    openAway: ({ kind, opens }: AwayLine) => {
      const isIt = ({ need }: InboxRow) => need?.type === 'held' && opens.includes(need.chain)
      const held = store.state().inbox.find(isIt)
      if (kind !== 'held') openAll(opens)
      else if (held) openRow(held)
    },
    seen: () => act('away'),
    answer: (key: string, option: number) => {
      const row = rowOf(key)
      const options = row?.need && 'options' in row.need ? row.need.options : []
      const words = options[option - 1]
      if (row === undefined || words === undefined || !isOpen(store.state(), row))
        return say(`There is no option ${option} on this row: Enter opens it.`)
      openRow(row, { option })
      say(
        `${partsOf(row).who.map((name) => `@${name}`)}: ${option}. ${words} · Enter answers, Esc cancels`,
      )
    },
    read: (key: string) => {
      if (key === 'away') return act('away')
      const row = rowOf(key)
      const { unread } = store.state().now
      if (row?.need && isOpen(store.state(), row))
        return say('This still needs you: it goes once it is answered.')
      if (row && key === shows.current?.key) close()
      else if (row) step(1)
      act('seen', { ids: row?.thread?.ids ?? unread.filter((id) => id === key) })
    },
  }
}
