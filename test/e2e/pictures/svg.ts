import { type Cell, cellsOf, type Look } from './ansi.ts'

/** A terminal: its title, and its lines as `tmux capture-pane -e` gives them. */
export type Terminal = { title: string; lines: readonly string[] }

// Pixels. A character is 0.6 of its size wide in every common monospaced font, and `textLength`
// holds it there.
const SIZE = 14
const WIDTH = 8.4
const HEIGHT = 19
const BAR = 30
const PAD = 14
const GAP = 18
const BACKGROUND = '#1a1b26'
const FOREGROUND = '#c0caf5'
const FONT =
  "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

// Signs of Claude Code's that many a font lacks, drawn in a box of one character.
const DRAWN: Record<string, string> = {
  '⎿': 'M3 0V10H8',
  '⏸': 'M2.5 5V15M6 5V15',
}

/** A terminal over time. `at`: milliseconds from the beginning. */
export type Film = { title: string; frames: readonly { at: number; lines: readonly string[] }[] }

/**
 * The terminals as one picture, each in a window of its own, the first on top. `columns` is the
 * width of all of them.
 */
export function svgOf(terminals: readonly Terminal[], columns: number, label: string): string {
  const width = widthOf(columns)
  const windows: string[] = []
  let top = 0
  for (const { title, lines } of terminals) {
    const height = heightOf(lines.length)
    const body = rowsOf(lines).filter((row) => row !== '')
    windows.push(windowOf({ title, body, width, height, left: 0, top }))
    top += height + GAP
  }
  return documentOf(width, top - GAP, label, windows)
}

/**
 * Films side by side, all of one size, that run at once, for `length` milliseconds, and then again.
 */
export function filmOf(
  films: readonly Film[],
  size: { columns: number; rows: number; length: number },
  label: string,
): string {
  const [width, height] = [widthOf(size.columns), heightOf(size.rows)]
  const styles: string[] = []
  const windows = films.map(({ title, frames }, at) => {
    const body = shownRows(frames, size).map(({ row, times }) => {
      if (times === undefined) return `<g>${row}</g>`
      styles.push(`@keyframes k${styles.length}{${times}}`)
      const last = times.endsWith('visible}') ? '' : ' visibility="hidden"'
      return `<g style="animation-name:k${styles.length - 1}"${last}>${row}</g>`
    })
    return windowOf({ title, body, width, height, left: at * (width + GAP), top: 0 })
  })
  const style = `<style>g{animation:${size.length}ms step-end infinite}@media(prefers-reduced-motion:reduce){g{animation:none!important}}${styles.join('')}</style>`
  return documentOf(films.length * (width + GAP) - GAP, height, label, [style, ...windows])
}

/**
 * Each content that a row of the terminal ever has, once, and when it is seen; without times,
 * always.
 */
function shownRows(
  frames: Film['frames'],
  { rows, length }: { rows: number; length: number },
): { row: string; times?: string }[] {
  const drawn = frames.map(({ at, lines }) => ({ at, rows: rowsOf(lines.slice(0, rows)) }))
  return Array.from({ length: rows }, (_, at) => at).flatMap((at) => {
    const contents = [...new Set(drawn.map((frame) => frame.rows[at] ?? ''))].filter(Boolean)
    return contents.map((row) => {
      const seen = drawn.map((frame) => ({ at: frame.at, on: (frame.rows[at] ?? '') === row }))
      const changes = seen.filter(({ on }, index) => on !== seen[index - 1]?.on)
      if (changes.length === 1) return { row }
      const times = changes.map(
        (change) =>
          `${round3((100 * change.at) / length)}%{visibility:${change.on ? 'visible' : 'hidden'}}`,
      )
      return { row, times: times.join('') }
    })
  })
}

function widthOf(columns: number): number {
  return Math.ceil(columns * WIDTH + 2 * PAD)
}

function heightOf(rows: number): number {
  return BAR + rows * HEIGHT + PAD
}

function documentOf(width: number, height: number, label: string, parts: string[]): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const style = `font-family="${FONT}" font-size="${SIZE}" fill="${FOREGROUND}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style} role="img" aria-label="${escaped(label)}">\n${parts.join('\n')}\n</svg>\n`
}

function windowOf({
  title,
  body,
  width,
  height,
  left,
  top,
}: {
  title: string
  body: string[]
  width: number
  height: number
  left: number
  top: number
}): string {
  const dots = ['#f7768e', '#e0af68', '#9ece6a'].map(
    (color, at) =>
      `<circle cx="${PAD + 6 + at * 18}" cy="${BAR / 2 + 1}" r="5.5" fill="${color}"/>`,
  )
  const name = `<text x="${width / 2}" y="${BAR / 2 + 6}" text-anchor="middle" fill="#787c99">${escaped(title)}</text>`
  return [
    `<g transform="translate(${left} ${top})">`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="9" fill="${BACKGROUND}" stroke="#3b4261"/>`,
    `${dots.join('')}${name}`,
    ...body,
    '</g>',
  ].join('\n')
}

function rowsOf(lines: readonly string[]): string[] {
  return cellsOf(lines).map((cells, row) => lineOf(cells, BAR + row * HEIGHT))
}

/**
 * Neighbours of one look in one element; what may be missing from a font stands alone, so that
 * nothing behind it shifts.
 */
function lineOf(cells: readonly Cell[], top: number): string {
  const runs: { text: string; look: Look; at: number }[] = []
  cells.forEach(({ char, look }, at) => {
    const last = runs.at(-1)
    const joins =
      last &&
      sameLook(last.look, look) &&
      kindOf(last.text) === kindOf(char) &&
      kindOf(char) !== 'sign'
    if (joins) last.text += char
    else runs.push({ text: char, look, at })
  })
  return runs.map((run) => runOf(run, top)).join('')
}

function runOf({ text, look, at }: { text: string; look: Look; at: number }, top: number): string {
  const x = round(PAD + at * WIDTH)
  const wide = round([...text].length * WIDTH)
  const behind =
    look.bg === undefined
      ? ''
      : `<rect x="${x}" y="${top}" width="${wide}" height="${HEIGHT}" fill="${look.bg}"/>`
  if (text.trim() === '') return behind
  const color = `fill="${look.fg ?? FOREGROUND}"${look.dim ? ' opacity="0.6"' : ''}`
  if (kindOf(text) === 'rule')
    return `${behind}<rect x="${x}" y="${top + 9}" width="${wide}" height="1" ${color}/>`
  const drawn = DRAWN[text]
  if (drawn !== undefined) {
    const stroke = color.replace('fill', 'stroke')
    return `${behind}<path transform="translate(${x} ${top})" d="${drawn}" fill="none" stroke-width="1.4" ${stroke}/>`
  }
  const lead = text.length - text.trimStart().length
  const shown = text.trim()
  const place = `x="${round(x + lead * WIDTH)}" y="${top + 14}" textLength="${round([...shown].length * WIDTH)}"`
  const shape = [
    look.bold ? ' font-weight="bold"' : '',
    look.italic ? ' font-style="italic"' : '',
    look.underline ? ' text-decoration="underline"' : '',
  ].join('')
  return `${behind}<text ${place} ${color}${shape} xml:space="preserve">${escaped(shown)}</text>`
}

function kindOf(text: string): 'text' | 'rule' | 'sign' {
  if (/^─+$/.test(text)) return 'rule'
  return /^[ -~]*$/.test(text) ? 'text' : 'sign'
}

function sameLook(a: Look, b: Look): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function round3(value: number): number {
  return Math.round(value * 1000) / 1000
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}
