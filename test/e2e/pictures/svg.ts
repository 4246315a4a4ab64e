import { type Cell, cellsOf, type Look } from './ansi.ts'

/** A terminal: its title, and its lines as `tmux capture-pane -e` gives them. */
export type Terminal = { title: string; lines: readonly string[] }

// Pixels. A character is 0.6 of its size wide in every common monospaced font, and `textLength` holds it there.
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

/** The terminals as one picture, each in a window of its own, the first on top. `columns` is the width of all of them. */
export function svgOf(terminals: readonly Terminal[], columns: number, label: string): string {
  const width = Math.ceil(columns * WIDTH + 2 * PAD)
  const windows: string[] = []
  let top = 0
  for (const terminal of terminals) {
    const height = BAR + terminal.lines.length * HEIGHT + PAD
    windows.push(`<g transform="translate(0 ${top})">\n${windowOf(terminal, width, height)}\n</g>`)
    top += height + GAP
  }
  const size = `width="${width}" height="${top - GAP}" viewBox="0 0 ${width} ${top - GAP}"`
  const style = `font-family="${FONT}" font-size="${SIZE}" fill="${FOREGROUND}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style} role="img" aria-label="${escaped(label)}">\n${windows.join('\n')}\n</svg>\n`
}

function windowOf({ title, lines }: Terminal, width: number, height: number): string {
  const dots = ['#f7768e', '#e0af68', '#9ece6a'].map(
    (color, at) =>
      `<circle cx="${PAD + 6 + at * 18}" cy="${BAR / 2 + 1}" r="5.5" fill="${color}"/>`,
  )
  const name = `<text x="${width / 2}" y="${BAR / 2 + 6}" text-anchor="middle" fill="#787c99">${escaped(title)}</text>`
  const body = cellsOf(lines).map((cells, row) => lineOf(cells, BAR + row * HEIGHT))
  return [
    `<rect width="${width}" height="${height}" rx="9" fill="${BACKGROUND}" stroke="#3b4261"/>`,
    `${dots.join('')}${name}`,
    ...body.filter((row) => row !== ''),
  ].join('\n')
}

/** Neighbours of one look in one element; what may be missing from a font stands alone, so that nothing behind it shifts. */
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

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}
