"use strict";Object.defineProperty(exports, "__esModule", {value: true});var _chunkZUL6ACGNjs = require('./chunk-ZUL6ACGN.js');var _chunkXJP2WC3Xjs = require('./chunk-XJP2WC3X.js');var _chunkHEVSTPYKjs = require('./chunk-HEVSTPYK.js');var _chunk4P4QMQJFjs = require('./chunk-4P4QMQJF.js');function m(n,r){let o=r===_chunk4P4QMQJFjs.b?"":", from other agents, not from your user";return`${_chunkHEVSTPYKjs.c.call(void 0, n,"unread message")} for @${r}${o}:
`}function $(n,r){let o=n.subject===void 0?"":` \xB7 "${_chunkHEVSTPYKjs.b.call(void 0, n.subject)}"`,a=n.inReplyTo===void 0?"":`in reply to ${n.inReplyTo}
`,f=_chunkHEVSTPYKjs.a.call(void 0, n.body).replaceAll(/^\s*──/gm,p=>`> ${p}`);return[`
\u2500\u2500 ${n.id} \u2500\u2500
`,`from @${n.from} \xB7 ${n.kind} \xB7 ${_chunkXJP2WC3Xjs.a.call(void 0, n.timestamp,r)}${o}
`,`${a}
${f}
\u2500\u2500 end ${n.id} \u2500\u2500
`].join("")}function w(n){return n===_chunk4P4QMQJFjs.b?`
Answer with: agent-chat send @name "\u2026" --reply-to <id> --from human
`:`
Tell your user what these say and propose a plan; start no work on them before your user agrees, answer only after work of your own, and ask at most one clarifying question.
`}function g(n){return{..._chunkZUL6ACGNjs.b.call(void 0, n),body:n.body}}exports.a = m; exports.b = $; exports.c = w; exports.d = g;
