"use strict";Object.defineProperty(exports, "__esModule", {value: true});require('./chunk-ZWRDP37E.js');function r(o,m){}exports.doctorCommand = r;
