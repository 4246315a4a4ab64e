/**
 * What nobody sees, or a terminal obeys: control characters but tab and newline, separators that
 * some show as a new line, and what Unicode wants drawn as nothing: marks that turn text around,
 * joiners, fillers, tags and variation selectors.
 */
const HIDDEN = '\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufff9-\\ufffb\\p{DI}'

/**
 * Where such characters have something to do: in emoji, the three flags that are made of tags, and
 * scripts that join letters.
 */
function needed(): string {
  const picture = '\\p{ExtPict}(?:\\ufe0e|\\p{EMod}?\\ufe0f?)'
  const scripts =
    'Arab Syrc Nkoo Mand Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
      .split(' ')
      .map((script) => `\\p{scx=${script}}`)
  return [
    '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
    `${picture}(?:\\u200d${picture})*`,
    '[0-9#*]\\ufe0f\\u20e3',
    `(?<=(?=[\\p{L}\\p{M}])(?!\\p{DI})[${scripts.join('')}])[\\u200c\\u200d]`,
    '(?<=(?=\\p{L})\\p{sc=Mong})[\\u180b-\\u180f]',
  ].join('|')
}

/**
 * To read these patterns takes a millisecond, which most starts need not pay. Programs that never
 * ask for one are built without them, hence the marks.
 */
const patterns = {
  hidden: /* @__PURE__ */ once(() => new RegExp(`[${HIDDEN}]`, 'u')),
  odd: /* @__PURE__ */ once(() => new RegExp(`(${needed()})|[${HIDDEN}]`, 'gu')),
  seen: /* @__PURE__ */ once(() => new RegExp(`[^${HIDDEN}\\s]`, 'u')),
}

/**
 * Text in which everything that would be obeyed, or seen by a program alone, can be seen: `^[` for
 * Escape, `<U+202E>` for what has no such form. Lines that end as on Windows end like any others.
 */
export function visible(text: string): string {
  if (/^[\n\t -~]*$/.test(text) || !patterns.hidden().test(text)) return text
  return text.replace(/\r(?=\n|$)/g, '').replace(patterns.odd(), (part: string, kept?: string) => {
    if (kept !== undefined) return kept
    const code = part.codePointAt(0) ?? 0
    if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`
    if (code === 0x7f) return '^?'
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
  })
}

/** As `visible`, on one line. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll(/(?:\r?\n|\t)+/g, ' '))
}

/** Whether nothing of a text can be seen, but as what `visible` makes of it. */
export function isBlank(text: string): boolean {
  return !/[!-~]/.test(text) && !patterns.seen().test(text)
}

function once(make: () => RegExp): () => RegExp {
  let pattern: RegExp | undefined
  return () => {
    pattern ??= make()
    return pattern
  }
}
