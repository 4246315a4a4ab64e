/**
 * A part of a handover: its heading, what belongs there, and whether a handover may do without it
 * and nobody says so.
 */
type Part = { heading: string; hint: string; optional?: boolean }

/** The format of a handover, as the skill teaches it. */
const PARTS: Part[] = [
  { heading: 'What changed', hint: 'Brief description of changes' },
  { heading: 'Files affected', hint: 'List of key files' },
  { heading: 'What you need to do', hint: 'Clear action items for the recipient' },
  {
    heading: 'Schema/Contract details (if applicable)',
    hint: 'Relevant types, endpoints, request/response shapes',
    optional: true,
  },
  { heading: 'Breaking changes', hint: 'Any breaking changes to be aware of' },
]

/** The format of a handover from `name`, to be filled in. */
export function handoverTemplate(name: string): string {
  const parts = PARTS.map(({ heading, hint }) => `**${heading}:**\n- ${hint}\n`)
  return `## Handover from ${name}\n\n${parts.join('\n')}`
}

/**
 * What a handover lacks, for its sender: headings that are not there, and headings with nothing
 * below them. Each without its `(if applicable)`.
 */
export function handoverGaps(body: string): { missing: string[]; empty: string[] } {
  const found = partsOf(body)
  const missing = PARTS.filter(
    ({ heading, optional }) => !optional && !found.some(({ part }) => part.heading === heading),
  )
  const empty = found.filter(({ part, lines }) => saysNothing(part, lines))
  return { missing: missing.map(nameOf), empty: empty.map(({ part }) => nameOf(part)) }
}

/**
 * A template after somebody has filled it in: parts with nothing to say, or with nothing but what
 * the template says, are left out. Undefined where none is left and nothing else was written.
 */
export function filledHandover(text: string, name: string): string | undefined {
  const lines = text.split('\n')
  const dropped = partsOf(text).filter(({ part, lines: said }) => saysNothing(part, said))
  const kept = lines.filter((_, at) => !dropped.some(({ start, end }) => at >= start && at < end))
  const title = `## Handover from ${name}`
  if (kept.every((line) => line.trim() === '' || line.trim() === title)) return undefined
  return kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

type FoundPart = { part: Part; start: number; end: number; lines: string[] }

/**
 * The parts that a text has, from their headings to the next; `lines` is what stands below, and
 * what stands behind the heading itself.
 */
function partsOf(text: string): FoundPart[] {
  const lines = text.split('\n')
  const found: FoundPart[] = []
  let fence: string | undefined
  lines.forEach((line, at) => {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1]
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence
    const heading = fence === undefined && mark === undefined ? headingOf(line) : undefined
    const last = found.at(-1)
    if (heading)
      found.push({ part: heading.part, start: at, end: lines.length, lines: [heading.rest] })
    if (heading && last) last.end = at
    if (!heading && last) last.lines.push(line)
  })
  return found
}

/**
 * A heading may be bold, a markdown heading, or plain with a colon; what follows on its line
 * belongs to the part.
 */
function headingOf(line: string): { part: Part; rest: string } | undefined {
  for (const part of PARTS) {
    const name = nameOf(part).replaceAll('/', '\\s*/\\s*').replaceAll(' ', '\\s+')
    const pattern = new RegExp(
      `^\\s*(#{1,6}\\s+|\\*\\*|__)?${name}\\s*(\\([^)]*\\))?\\s*(:?)\\s*(\\*\\*|__)?\\s*(:?)(.*)$`,
      'i',
    )
    const match = pattern.exec(line)
    if (match && (match[1] !== undefined || match[3] === ':' || match[5] === ':'))
      return { part, rest: match[6] ?? '' }
  }
  return undefined
}

function saysNothing({ hint }: Part, lines: string[]): boolean {
  const said = lines
    .map((line) => line.trim().replace(/^[-*+]\s*/, ''))
    .filter((line) => line !== '')
  return said.every((line) => line === hint)
}

function nameOf({ heading }: Pick<Part, 'heading'>): string {
  return heading.replace(/ \(.*\)$/, '')
}
