/** What `agent-chat help` explains besides commands. */
export const TOPICS = ['exit-codes', 'environment'] as const

export function isTopic(word: string): boolean {
  return TOPICS.some((topic) => topic === word)
}
