"use strict";var s=Object.defineProperty;var a=Object.getOwnPropertyDescriptor;var i=Object.getOwnPropertyNames;var c=Object.prototype.hasOwnProperty;var h=(n,e)=>{for(var t in e)s(n,t,{get:e[t],enumerable:!0})},l=(n,e,t,r)=>{if(e&&typeof e=="object"||typeof e=="function")for(let o of i(e))!c.call(n,o)&&o!==t&&s(n,o,{get:()=>e[o],enumerable:!(r=a(e,o))||r.enumerable});return n};var m=n=>l(s({},"__esModule",{value:!0}),n);var u={};h(u,{REPORT_HOLDS:()=>p,renderReport:()=>$});module.exports=m(u);var p=["It has: versions, the names of AGENT_CHAT_* variables, the checks, session names, counts per inbox, states.","It does not have: text of messages, the history or logs. Your home directory appears as ~."];function $({made_at:n,parts:e}){let t=e.map(({title:r,lines:o})=>`## ${r}

\`\`\`
${o.join(`
`).replaceAll("```","'''")}
\`\`\`
`);return`# agent-chat report${n===null?"":`, ${n}`}

${p.join(`

`)}

${t.join(`
`)}`}0&&(module.exports={REPORT_HOLDS,renderReport});
