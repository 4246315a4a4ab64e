/** A text in the quotes of a systemd unit; a percent sign begins one of its words. */
export function unitQuoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`
}
