/** How a character is shown. Colours are `#rrggbb`; undefined is the terminal's own. */
export type Look = {
  fg?: string
  bg?: string
  bold?: boolean
  dim?: boolean
  italic?: boolean
  underline?: boolean
}

export type Cell = { char: string; look: Look }

// A dark terminal's sixteen: black, red, green, yellow, blue, magenta, cyan, white, and the bright
// ones.
const SIXTEEN = (
  '#15161e #f7768e #9ece6a #e0af68 #7aa2f7 #bb9af7 #7dcfff #a9b1d6 ' +
  '#565f89 #ff899d #b9f27c #ffc777 #8db0ff #c7a9ff #a4daff #c0caf5'
).split(' ')

// What the six levels of the 256-colour cube stand for.
const LEVELS = [0, 95, 135, 175, 215, 255]

/**
 * The lines of `tmux capture-pane -e`, character by character. A look goes on over the end of its
 * line.
 */
export function cellsOf(lines: readonly string[]): Cell[][] {
  let look: Look = {}
  return lines.map((line) => {
    const cells: Cell[] = []
    for (const [part] of line.matchAll(/\x1b\[[0-9;:]*m|\x1b[^[]|[^\x1b]/gsu)) {
      if (part.startsWith('\x1b[')) look = applied(look, part.slice(2, -1))
      else if (!part.startsWith('\x1b')) cells.push({ char: part, look })
    }
    return cells
  })
}

function applied(look: Look, codes: string): Look {
  const numbers = codes.split(/[;:]/).map(Number)
  let next = look
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0
    if (code === 38 || code === 48) {
      const long = numbers[at + 1] === 2
      const color = long ? rgb(numbers.slice(at + 2, at + 5)) : color256(numbers[at + 2] ?? 0)
      next = { ...next, [code === 38 ? 'fg' : 'bg']: color }
      at += long ? 4 : 2
    } else {
      next = simple(next, code)
    }
  }
  return next
}

function simple(look: Look, code: number): Look {
  if (code === 0) return {}
  if (code === 1) return { ...look, bold: true }
  if (code === 2) return { ...look, dim: true }
  if (code === 3) return { ...look, italic: true }
  if (code === 4) return { ...look, underline: true }
  if (code === 7) return { ...look, fg: look.bg ?? '#1a1b26', bg: look.fg ?? '#c0caf5' }
  if (code === 22) return without(look, 'bold', 'dim')
  if (code === 23) return without(look, 'italic')
  if (code === 24) return without(look, 'underline')
  if (code === 27 || code === 39)
    return code === 27 ? without(look, 'fg', 'bg') : without(look, 'fg')
  if (code === 49) return without(look, 'bg')
  if (code >= 30 && code <= 37) return { ...look, fg: color256(code - 30) }
  if (code >= 90 && code <= 97) return { ...look, fg: color256(code - 82) }
  if (code >= 40 && code <= 47) return { ...look, bg: color256(code - 40) }
  if (code >= 100 && code <= 107) return { ...look, bg: color256(code - 92) }
  return look
}

function color256(index: number): string {
  if (index < 16) return SIXTEEN[index] ?? '#ffffff'
  if (index >= 232) return rgb(Array(3).fill(8 + (index - 232) * 10))
  const cube = index - 16
  return rgb(
    [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => LEVELS[level] ?? 0),
  )
}

function rgb(parts: number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function without(look: Look, ...keys: (keyof Look)[]): Look {
  return Object.fromEntries(
    Object.entries(look).filter(([key]) => !keys.some((gone) => gone === key)),
  )
}
