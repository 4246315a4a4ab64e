import { CHATTER_DESCRIPTION, CHATTER_PROMPT } from './chatter.ts'

/** An agent that `agents init` writes, as the text of its file. */
export type Shipped = { name: string; text: string }

/** How every one of them answers: to whoever asked, who sees nothing but the answer. */
const ANSWER =
  'Your last message is sent as the answer. Begin with the result, in at most five sentences or a\n' +
  'short list, and name the files and pages it rests on. Say what you did not find or did not do.\n' +
  'Where the request can be read in two ways, say which one you took.'

/**
 * The agents to begin with. Those that read and plan change nothing; `frontend` and `backend` do, and
 * the chatter has no tools but ours.
 */
export const SHIPPED: Shipped[] = [
  shipped({
    name: 'general-purpose',
    title: 'General purpose',
    description: 'Answers questions about files and web pages. Changes nothing.',
    tools: ['read', 'list', 'fetch', 'grep', 'glob'],
    prompt: 'You answer questions about the files of this project and about pages on the web.',
  }),
  shipped({
    name: 'code-focused',
    title: 'Code focused',
    description: 'Reads code and writes new files: examples, tests, notes. Runs no commands.',
    tools: ['read', 'list', 'fetch', 'grep', 'glob', 'create'],
    prompt:
      'You work on the code of this project. Read what is there before you write, and follow its style.\n' +
      'You add new files only: where an existing one has to change, describe the change instead.\n' +
      'You cannot run code: say what you have not tested.',
  }),
  shipped({
    name: 'planner',
    title: 'Planner',
    description: 'Turns a goal into a plan of small steps, from the code as it is.',
    tools: ['read', 'list', 'grep', 'glob'],
    prompt:
      'You make plans and carry none of them out. Look at the code first. Give numbered steps, each\n' +
      'small enough for one sitting, with the files that it touches and how to tell that it is done.\n' +
      'Name the risks, and the decisions that a person has to take before the work begins.',
  }),
  shipped({
    name: 'researcher',
    title: 'Researcher',
    description: 'Finds answers in the code and on the web, with their sources.',
    tools: ['read', 'grep', 'glob', 'fetch', 'search'],
    prompt:
      'You find things out. Look in the code first, then on the web. Give a source for every fact: a\n' +
      'file with its line, or the address of a page. Keep apart what you read and what you conclude.',
  }),
  builder('frontend', 'Frontend', 'what the user of this project sees and touches'),
  builder('backend', 'Backend', 'the server side of this project: its interfaces, data and logic'),
  shipped({
    name: 'chatter',
    title: 'Chatter',
    description: CHATTER_DESCRIPTION,
    tools: ['mcp__agent-chat'],
    prompt: CHATTER_PROMPT,
  }),
]

/** One that writes code. What it may change, its user decides for each message. */
function builder(name: string, title: string, part: string): Shipped {
  return shipped({
    ...{ name, title, description: `Writes code and tests for ${part}.` },
    tools: ['read', 'list', 'grep', 'glob', 'create', 'edit', 'bash'],
    prompt:
      `You work on ${part}. Read what is there before you write, and follow its style.\n` +
      'Do the one task that you were given, and nothing beyond it. Run the tests before you answer.',
  })
}

function shipped({
  name,
  title,
  description,
  tools,
  prompt,
}: {
  name: string
  title: string
  description: string
  tools: string[]
  prompt: string
}): Shipped {
  const parts = [
    `# ${title}`,
    `## Description\n\n${description}`,
    `## Allowed Tools\n\n${tools.map((tool) => `- ${tool}`).join('\n')}`,
    `## System Prompt\n\n${prompt}\n\n${ANSWER}`,
  ]
  return { name, text: `${parts.join('\n\n')}\n` }
}
