"use strict";Object.defineProperty(exports, "__esModule", {value: true});var _chunkZY227UNIjs = require('./chunk-ZY227UNI.js');var _chunkB6ARG3RFjs = require('./chunk-B6ARG3RF.js');var _chunk75Q6OEJSjs = require('./chunk-75Q6OEJS.js');var _chunkF47F4TG3js = require('./chunk-F47F4TG3.js');var _chunkSUCNBUT7js = require('./chunk-SUCNBUT7.js');var _chunk4P4QMQJFjs = require('./chunk-4P4QMQJF.js');function h(n,t,r,o){let e=s=>n.say(`agent-chat: ${s}`);return _chunkB6ARG3RFjs.h.call(void 0, {...b(n,o),argument:t,warn:e},r)}function I(n){return _chunkB6ARG3RFjs.g.call(void 0, {...b(n),warn:()=>{}})}function b(n,t){let{home:r,processes:o}=n.bus(),e=t,s=()=>(e??=_chunk75Q6OEJSjs.a.call(void 0, r),e);return{env:n.env,sessions:s,processes:o}}function j(n,t){let r=t===_chunk4P4QMQJFjs.b?"":", from other agents, not from your user";return`${_chunkF47F4TG3js.c.call(void 0, n,"unread message")} for @${t}${r}:
`}function R(n,t){let r=n.subject===void 0?"":` \xB7 "${_chunkF47F4TG3js.b.call(void 0, n.subject)}"`,o=n.inReplyTo===void 0?"":`in reply to ${n.inReplyTo}
`,e=_chunkF47F4TG3js.a.call(void 0, n.body).split(`
`).map($).join(`
`);return[`
\u2500\u2500 ${n.id} \u2500\u2500
`,`from @${n.from} \xB7 ${n.kind} \xB7 ${_chunkZY227UNIjs.a.call(void 0, n.timestamp,t)}${r}
`,`${o}
${e}
\u2500\u2500 end ${n.id} \u2500\u2500
`].join("")}var l=/^[─━┄┅┈┉╌╍═╴╶╸╺╼╾‒–—―⸺⸻ー]{2}/;function $(n){return l.test(n.replace(/[\s\p{Cf}\p{Mn}]/gu,""))?`> ${n}`:n}function S(n){return n===_chunk4P4QMQJFjs.b?`
Answer with: agent-chat send @name "\u2026" --reply-to <id> --from human
`:`
Tell your user what these say and propose a plan; start no work on them before your user agrees, answer only after work of your own, and ask at most one clarifying question.
`}function q(n){return{..._chunkSUCNBUT7js.b.call(void 0, n),body:n.body}}exports.a = h; exports.b = I; exports.c = j; exports.d = R; exports.e = S; exports.f = q;
