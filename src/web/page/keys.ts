import { useLayoutEffect } from 'preact/hooks'
import type { View } from './head.tsx'

type Does = {
  view: (view: View) => void
  help: () => void
  write: () => void
  /** Gives whether something was open. */
  close: () => boolean
}

const VIEWS: Record<string, View> = { f: 'feed', t: 'tasks', w: 'flow', '/': 'search' }

/** The keys of the page. In a field, all but Escape is text. */
export function useKeys(does: Does): void {
  // At once: Escape right after a key that opened something is to close that.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey) return
      if (key === 'Escape') return does.close() || leave(target)
      if (target instanceof HTMLElement && target.closest('input, textarea, select')) return
      if (!press(key, does)) return
      event.preventDefault()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  })
}

/** Out of a field, so that letters are keys again. */
function leave(target: EventTarget | null): void {
  if (target instanceof HTMLInputElement) target.blur()
}

function press(key: string, does: Does): boolean {
  const view = VIEWS[key]
  if (view) does.view(view)
  else if (key === '?') does.help()
  else if (key === 'n') does.write()
  else if (key === 'j' || key === 'k') return step(key === 'j' ? 1 : -1)
  else if (/^[1-9]$/.test(key)) return toOption(Number(key))
  else return false
  return true
}

/** Moves from one row to the next: what needs somebody, who is here, and what passes. */
function step(by: 1 | -1): boolean {
  const stops = [...document.querySelectorAll<HTMLElement>('[data-stop]')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  const main = stops.findIndex((stop) => stop.closest('main'))
  const next = stops[at < 0 ? Math.max(0, main) : Math.min(stops.length - 1, Math.max(0, at + by))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
  return next !== undefined
}

/** Goes to an answer of the decision that has the focus, or the first one; Enter gives it. */
function toOption(number: number): boolean {
  const open = '.need.asks:not(.done)'
  const card = document.activeElement?.closest(open) ?? document.querySelector(open)
  const option = card?.querySelectorAll<HTMLButtonElement>('button.option')[number - 1]
  option?.focus()
  return option !== undefined
}
