"use strict";var s=Object.defineProperty;var a=Object.getOwnPropertyDescriptor;var p=Object.getOwnPropertyNames;var c=Object.prototype.hasOwnProperty;var l=(o,n)=>{for(var e in n)s(o,e,{get:n[e],enumerable:!0})},h=(o,n,e,r)=>{if(n&&typeof n=="object"||typeof n=="function")for(let t of p(n))!c.call(o,t)&&t!==e&&s(o,t,{get:()=>n[t],enumerable:!(r=a(n,t))||r.enumerable});return o};var f=o=>h(s({},"__esModule",{value:!0}),o);var g={};l(g,{REPORT_HOLDS:()=>i,renderReport:()=>$});module.exports=f(g);var i=["In it: versions, the names of AGENT_CHAT_* variables, the checks, session names, counts per inbox, states.","Not in it: anything of a message, of the history or of a log. Your own directory is written as ~."];function $({made_at:o,parts:n}){let e=n.map(({title:r,lines:t})=>`## ${r}

\`\`\`
${t.join(`
`).replaceAll("```","'''")}
\`\`\`
`);return`# agent-chat report${o===null?"":`, ${o}`}

${i.join(`

`)}

${e.join(`
`)}`}0&&(module.exports={REPORT_HOLDS,renderReport});
