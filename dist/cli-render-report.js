"use strict";var s=Object.defineProperty;var a=Object.getOwnPropertyDescriptor;var p=Object.getOwnPropertyNames;var c=Object.prototype.hasOwnProperty;var h=(e,n)=>{for(var t in n)s(e,t,{get:n[t],enumerable:!0})},l=(e,n,t,o)=>{if(n&&typeof n=="object"||typeof n=="function")for(let r of p(n))!c.call(e,r)&&r!==t&&s(e,r,{get:()=>n[r],enumerable:!(o=a(n,r))||o.enumerable});return e};var m=e=>l(s({},"__esModule",{value:!0}),e);var d={};h(d,{REPORT_HOLDS:()=>i,renderReport:()=>w});module.exports=m(d);var i=["In it: versions, the names of AGENT_CHAT_* variables, the checks, session names, counts per inbox, states, ids and times of messages, and where in the program faults were.","Not in it: what any message says (no body, subject or preview), why anything was refused or held, working directories, environments. Your own directory is written as ~."];function w({made_at:e,parts:n}){let t=n.map(({title:o,lines:r})=>`## ${o}

\`\`\`
${r.join(`
`).replaceAll("```","'''")}
\`\`\`
`);return`# agent-chat report${e===null?"":`, ${e}`}

${i.join(`

`)}

${t.join(`
`)}`}0&&(module.exports={REPORT_HOLDS,renderReport});
