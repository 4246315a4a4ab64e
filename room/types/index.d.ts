/** What the room keeps for the length of a session. Only it writes these values. */
export type View = { name: string | null; unread: number; at: number; peer: string | null }
export type Asked = { id: string; by: string }

declare module 'claude-code' {
  interface PluginState {
    'agent-chat-room': { view: View; asked: Asked }
  }
}
