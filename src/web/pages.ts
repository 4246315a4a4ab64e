/** The page itself: all else comes by its script. `version` has it loaded again after an update. */
export function mainPage(version: string): string {
  return page(
    'agent-chat',
    `<link rel="stylesheet" href="/page.css?${version}"><link rel="icon" href="/icon.svg"><script type="module" src="/page.js?${version}"></script>`,
    '<div id="app"></div><noscript><p>This page needs JavaScript. Without it, use: agent-chat console</p></noscript>',
  )
}

/** Where the one-time address leads on from: a step of this site's own, so that it gets the cookie. */
export function openedPage(): string {
  return page(
    'agent-chat',
    '<meta http-equiv="refresh" content="0;url=/">',
    '<p><a href="/">Open the page</a></p>',
  )
}

/** Why there is nothing to see. Both texts are the program's own. */
export function statusPage(message: string, hint: string): string {
  return page(
    'agent-chat',
    '<link rel="stylesheet" href="/page.css">',
    `<main class="closed"><h1>agent-chat</h1><p>${message}</p><p>${hint}</p></main>`,
  )
}

function page(title: string, head: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title>${head}</head><body>${body}</body></html>\n`
}

export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2f6f5e"/><path d="M8 10h16v10H15l-4 4v-4H8z" fill="#fff"/></svg>'
