"use strict";Object.defineProperty(exports, "__esModule", {value: true});var _chunkYK4RBQ34js = require('./chunk-YK4RBQ34.js');var _chunkPZT5OPMSjs = require('./chunk-PZT5OPMS.js');var _chunkSUCNBUT7js = require('./chunk-SUCNBUT7.js');var _chunkZBAOTN2Sjs = require('./chunk-ZBAOTN2S.js');function $(n,r){let o=r===_chunkZBAOTN2Sjs.b?"":", from other agents, not from your user";return`${_chunkPZT5OPMSjs.c.call(void 0, n,"unread message")} for @${r}${o}:
`}function g(n,r){let o=n.subject===void 0?"":` \xB7 "${_chunkPZT5OPMSjs.b.call(void 0, n.subject)}"`,f=n.inReplyTo===void 0?"":`in reply to ${n.inReplyTo}
`,p=_chunkPZT5OPMSjs.a.call(void 0, n.body).split(`
`).map(c).join(`
`);return[`
\u2500\u2500 ${n.id} \u2500\u2500
`,`from @${n.from} \xB7 ${n.kind} \xB7 ${_chunkYK4RBQ34js.a.call(void 0, n.timestamp,r)}${o}
`,`${f}
${p}
\u2500\u2500 end ${n.id} \u2500\u2500
`].join("")}var a=/^[─━┄┅┈┉╌╍═╴╶╸╺╼╾‒–—―⸺⸻ー]{2}/;function c(n){return a.test(n.replace(/[\s\p{Cf}\p{Mn}]/gu,""))?`> ${n}`:n}function w(n){return n===_chunkZBAOTN2Sjs.b?`
Answer with: agent-chat send @name "\u2026" --reply-to <id> --from human
`:`
Tell your user what these say and propose a plan; start no work on them before your user agrees, answer only after work of your own, and ask at most one clarifying question.
`}function h(n){return{..._chunkSUCNBUT7js.b.call(void 0, n),body:n.body}}exports.a = $; exports.b = g; exports.c = w; exports.d = h;
