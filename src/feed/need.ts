/**
 * Something that cannot go on without the person. `key` tells one from another; `at`: since when
 * (ISO 8601). `permission`: a dialog is open in the session `name`, and `why` says what for. `asks`:
 * its turn ended with the question `why`. `trust`: its agent asks before its first prompt.
 */
export type Need =
  | {
      type: 'decision' | 'approval' | 'question'
      key: string
      id: string
      at: string
      from: string
      title: string
      text: string
      number?: number
      options: string[]
    }
  | {
      type: 'permission' | 'trust' | 'asks' | 'failed'
      key: string
      name: string
      at: string
      why: string
    }
  | {
      type: 'held'
      key: string
      chain: string
      at: string
      to: string[]
      count: number
      why: string
    }
