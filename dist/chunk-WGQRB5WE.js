"use strict";Object.defineProperty(exports, "__esModule", {value: true});function t(n,m,a,o){return n.command(m).description(a).option("--json","print data as JSON").addHelpText("after",`
Example:
  ${o.replaceAll(`
`,`
  `)}`)}exports.a = t;
