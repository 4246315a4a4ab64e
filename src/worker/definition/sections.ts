/** The sections of a definition, by their headings in small letters. */
const SECTIONS = ['description', 'allowed tools', 'system prompt'] as const
export type Section = (typeof SECTIONS)[number]

export type Sections = {
  title: string
  sections: Partial<Record<Section, string>>
  /** Headings that are none of these, and are passed over. */
  strangers: string[]
  /** Sections that are there a second time. */
  twice: Section[]
}

/**
 * The parts of a definition's text. The system prompt may have headings of its own: it ends only
 * where one of the other sections begins. What is in a fenced block is no heading.
 */
export function sectionsOf(text: string): Sections {
  const found: Sections = { title: '', sections: {}, strangers: [], twice: [] }
  let at: Section | undefined
  let fence = ''
  for (const line of text.split('\n')) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === '') fence = mark
    else if (mark.startsWith(fence)) fence = ''
    const [, level = '', heading = ''] =
      (fence === '' && mark === '' && /^(#{1,2})\s+(.*?)[\s#]*$/.exec(line)) || []
    const section =
      level === '##' ? SECTIONS.find((one) => one === heading.toLowerCase()) : undefined
    if (section !== undefined) {
      if (found.sections[section] !== undefined) found.twice.push(section)
      found.sections[section] ??= ''
      at = section
    } else if (level === '' || at === 'system prompt') addLine(found, at, line)
    else if (level === '#' && found.title === '') found.title = heading
    else {
      found.strangers.push(heading)
      at = undefined
    }
  }
  for (const one of SECTIONS)
    if (found.sections[one] !== undefined) found.sections[one] = found.sections[one].trim()
  return found
}

function addLine({ sections }: Sections, at: Section | undefined, line: string): void {
  if (at !== undefined) sections[at] = `${sections[at]}${line}\n`
}
