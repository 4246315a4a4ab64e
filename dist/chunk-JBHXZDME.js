"use strict";Object.defineProperty(exports, "__esModule", {value: true});function i(n,...o){return n instanceof Error&&"code"in n&&typeof n.code=="string"&&o.includes(n.code)}exports.a = i;
