import { useLayoutEffect } from 'preact/hooks'
import type { View } from './head.tsx'

type Does = {
  view: (view: View) => void
  help: () => void
  write: () => void
  filter: () => void
  /** Does something with the row that is selected, by its key. */
  answer: (key: string, option: number) => void
  read: (key: string) => void
  say: (text: string) => void
  /** Gives whether something was open. */
  close: () => boolean
}

const VIEWS: Record<string, View> = { g: 'inbox', f: 'feed', t: 'tasks', s: 'search' }
const STEPS: Record<string, 1 | -1> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** The keys of the page. In a field, all but Escape is text. */
export function useKeys(does: Does): void {
  // At once: Escape right after a key that opened something is to close that.
  useLayoutEffect(() => {
    keepPlace()
    const pressed = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey) return
      if (key === 'Escape') return does.close() || leave(target)
      if (!(target instanceof HTMLElement) || target.closest('input, textarea, dialog')) return
      // What is long is scrolled by them.
      if (key.startsWith('Arrow') && target.closest('.pane')) return
      if (!press(key, does)) return
      event.preventDefault()
    }
    addEventListener('keydown', pressed)
    addEventListener('focusin', remember)
    return () => {
      removeEventListener('keydown', pressed)
      removeEventListener('focusin', remember)
    }
  })
}

/** Out of a field, so that letters are keys again. */
function leave(target: EventTarget | null): void {
  if (target instanceof HTMLInputElement) target.blur()
}

function press(key: string, does: Does): boolean {
  const view = VIEWS[key]
  const by = STEPS[key]
  does.say('')
  if (view) does.view(view)
  else if (by) return step(by)
  else if (key === '?') does.help()
  else if (key === 'i' || key === 'n') does.write()
  else if (key === '/') does.filter()
  else if (key === 'o' || key === 'e' || /^[1-9]$/.test(key)) act(key, does)
  else return false
  return true
}

/** Acts on the row that is selected, and on no other: a row that came into its place was not seen. */
function act(key: string, does: Does): void {
  const here = document.activeElement as HTMLElement | null
  const row = here?.closest<HTMLElement>('[data-key], [data-id]')?.dataset
  const of = row?.key ?? row?.id
  if (of === undefined) does.say('No row is selected: j and k select one.')
  else if (key === 'e') does.read(of)
  else if (key !== 'o') does.answer(of, Number(key))
  else if (here?.matches('[data-stop]')) here.click()
}

/** The row that was selected last, and its place among all. */
let last: { stop: HTMLElement; at: number } | undefined

const stops = () => [...document.querySelectorAll<HTMLElement>('[data-stop]')]

/** Rows above it come and go; where it goes itself, its place is the last that it had. */
function keepPlace(): void {
  const at = last ? stops().indexOf(last.stop) : -1
  if (last && at >= 0) last.at = at
}

function remember({ target }: FocusEvent): void {
  const stop = target as HTMLElement
  const at = stops().indexOf(stop)
  if (at >= 0) last = { stop, at }
}

/**
 * Moves from one row to the next: who is here, what needs somebody, and what passes. Whoever was
 * elsewhere goes on from the row that was selected last; where it has gone, to what is in its place.
 */
export function step(by: 1 | -1): boolean {
  const all = stops()
  const here = all.indexOf(document.activeElement as HTMLElement)
  const at = here < 0 && last ? all.indexOf(last.stop) : here
  const first = all.findIndex((stop) => stop.closest('main'))
  const next = at >= 0 ? at + by : last === undefined ? first : by > 0 ? last.at : last.at - 1
  const stop = all[Math.max(0, Math.min(next, all.length - 1))]
  stop?.focus()
  stop?.scrollIntoView({ block: 'nearest' })
  return stop !== undefined
}
