import type { Tool } from './tool.ts'
import { consultTool } from './tools/consult.ts'
import { escalateTool } from './tools/escalate.ts'
import { historyTool, searchTool, statusTool, whoTool } from './tools/look.ts'
import { inboxTool, replyTool, sendTool } from './tools/messages.ts'
import { addTool, completeTool, deleteTool, updateTool } from './tools/ownTasks.ts'
import { assignTool, listTool } from './tools/tasks.ts'

/** Every tool, the most frequent first. The gate knows their names: `gate/ownTools.ts`. */
export const TOOLS: readonly Tool[] = [
  ...[sendTool, inboxTool, replyTool, consultTool],
  ...[assignTool, listTool, updateTool, statusTool, whoTool],
  ...[historyTool, searchTool, escalateTool],
  ...[addTool, completeTool, deleteTool],
]

const FAILURE = {
  success: { type: 'boolean' },
  error: { type: 'string' },
  code: { type: 'string' },
  hint: { type: 'string' },
}

/** The tools as a host lists them. */
export function listedTools() {
  return TOOLS.map(({ name, description, input, output, reads, destroys, always }) => ({
    name,
    description,
    inputSchema: input,
    outputSchema: {
      type: 'object' as const,
      properties: { ...FAILURE, ...output },
      required: ['success'],
    },
    annotations: {
      readOnlyHint: reads,
      destructiveHint: destroys,
      idempotentHint: reads,
      openWorldHint: false,
    },
    ...(always ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  }))
}
