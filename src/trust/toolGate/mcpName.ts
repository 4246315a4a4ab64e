/**
 * A name that can be split into a server and its tool in one way only: `a__b__c` could be a tool of
 * `a`, or of `a__b`.
 */
const MCP_NAME = /^mcp__([^_]+(?:_[^_]+)*)__([^_]+(?:_[^_]+)*)$/

const READS = /^(describe|find|get|list|lookup|read|search|show|view)$/

/** Those that may also be a thing to which something is done: `list_clear`. */
const NOUNS = /^(list|read|search|show|view)$/

/** Tools of servers that many use, whose names tell it only to those who know them. */
const KNOWN = /^(browser_snapshot|query-docs|resolve-library-id)$/

/** Words of a name that does more than read, wherever they are in it. */
const MORE =
  /(^|_)(and|or|then|add|apply|clear|commit|create|delete|edit|exec|execute|insert|merge|mark|modify|post|put|remove|replace|run|send|set|start|stop|update|upsert|write)(_|$)/

/** Words that say what is done to a `read`, a `list` or a `view` behind them. */
const DONE =
  /(^|_)(append|approve|archive|as|assign|attach|bookmark|build|call|cancel|change|check|click|clone|close|compile|complete|copy|deploy|destroy|disable|discard|dismiss|do|drop|dump|duplicate|empty|enable|export|fill|flag|flip|flush|generate|grant|import|index|install|invite|join|kill|leave|load|lock|make|move|new|open|pin|populate|prune|publish|purge|push|rebuild|record|refresh|register|reindex|reload|rename|render|reorder|reset|restore|revoke|rotate|save|select|share|sort|store|submit|subscribe|switch|sync|to|toggle|transfer|trigger|trim|truncate|un[a-z]+|upload|use|wipe)(_|$)/

/** The server of an MCP tool, where its name tells which it is. */
export function serverIn(tool: string): string | undefined {
  return MCP_NAME.exec(tool)?.[1]
}

/**
 * Whether an MCP tool only reads: its name alone tells. A reading word is the first one or the last
 * one, and no other word does more.
 */
export function isReadingName(tool: string): boolean {
  const [, , name] = MCP_NAME.exec(tool) ?? []
  if (name === undefined || !/^[\w-]+$/.test(name)) return false
  if (KNOWN.test(name)) return true
  if (MORE.test(wordsOf(tool))) return false
  const words = wordsOf(name).split('_')
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (READS.test(first)) return !(NOUNS.test(first) && DONE.test(last))
  return READS.test(last) && !DONE.test(wordsOf(name))
}

/** `getIssue` and `get-issue` are `get_issue`. */
function wordsOf(name: string): string {
  const parts = name.replace(/([a-z\d])([A-Z])/g, '$1_$2')
  return parts.replaceAll('-', '_').toLowerCase()
}
