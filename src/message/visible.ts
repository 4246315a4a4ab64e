/** Control characters but tab and newline, the C1 range, separators that some show as a new line, and the marks that turn the direction of text around. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text with everything that a terminal would obey made visible: `^[` for Escape, `<U+202E>` for what has no such form. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => {
    const code = char.charCodeAt(0)
    if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`
    if (code === 0x7f) return '^?'
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
  })
}

/** As `visible`, on one line. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll(/[\n\t]+/g, ' '))
}
