const TITLES: Record<string, string> = {
  user_intent: 'The user wants',
  previous_decisions: 'Decided already',
  focus_areas: 'Look at',
}

/** Parts of a message in markdown, one for each field that has a value. */
export function sectionsOf(data: object): string[] {
  return Object.entries(data).flatMap(([key, value]) => {
    const list = Array.isArray(value)
    if (value === undefined || value === null || (list && value.length === 0)) return []
    const words = key.replaceAll('_', ' ')
    const title = TITLES[key] ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
    const told = list ? value.map((one) => `\n- ${plain(one)}`).join('') : ` ${plain(value)}`
    return [`**${title}:**${told}`]
  })
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
