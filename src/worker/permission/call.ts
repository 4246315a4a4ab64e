/** A call that the client puts to its host (`can_use_tool`). `reason`: its `decision_reason`. */
export type Call = { tool: string; input: Record<string, unknown>; reason: string }

/** `message`: what the model reads in place of the tool's result. */
export type Decision = { allow: true } | { allow: false; message: string }
