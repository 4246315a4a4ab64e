// Characters that take two columns, as far as an input line needs to know.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

/** One character of a screen, with what matters about its look. */
export type Cell = { char: string; dim: boolean; inverse: boolean }

type Look = { dim: boolean; inverse: boolean }

// A colour or attribute change; or any other escape sequence, link or control character, which
// shows nothing.
const TOKEN =
  /\x1b\[([\d;:]*)m|\x1b\[[\d;:?<=>]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|[\x00-\x1f\x7f]|./gsu
const CONTROL = /^[\x00-\x1f\x7f]/

/**
 * The rows of a screen captured with its SGR escapes (`capture-pane -e`), without trailing blanks,
 * as cells. A look lasts over the end of a line until another sequence changes it.
 */
export function parseRows(text: string): Cell[][] {
  const look: Look = { dim: false, inverse: false }
  return text.split('\n').map((line) => {
    const cells: Cell[] = []
    for (const [token, codes] of line.matchAll(TOKEN)) {
      if (codes !== undefined) change(look, codes)
      else if (!CONTROL.test(token)) cells.push({ char: token, ...look })
    }
    return trimEnd(cells)
  })
}

/** How many columns of the screen the row takes. */
export function columns(cells: readonly Cell[]): number {
  return cells.length + cells.filter((cell) => WIDE.test(cell.char)).length
}

export function plain(cells: readonly Cell[]): string {
  return cells.map((cell) => cell.char).join('')
}

function change(look: Look, codes: string): void {
  const parts = codes.split(';')
  for (let at = 0; at < parts.length; at += 1) {
    const code = parts[at] ?? ''
    // A colour carries its own numbers behind it: the 2 in 38;2;r;g;b is not "dim".
    if (code === '38' || code === '48' || code === '58') at += parts[at + 1] === '5' ? 2 : 4
    else if (code === '' || Number(code) === 0) Object.assign(look, { dim: false, inverse: false })
    else if (code === '2') look.dim = true
    else if (code === '22') look.dim = false
    else if (code === '7') look.inverse = true
    else if (code === '27') look.inverse = false
  }
}

function trimEnd(cells: Cell[]): Cell[] {
  const last = cells.findLastIndex((cell) => cell.char.trim() !== '')
  return cells.slice(0, last + 1)
}
