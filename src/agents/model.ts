/** Whether a text can be the name of a model: it becomes a word of a command line. */
export function isModel(text: string): boolean {
  return /^[A-Za-z0-9][\w.:/@[\]-]*$/.test(text)
}
