"use strict";var e=require("path");process.argv.splice(2,0,"setup");require((0,e.join)(__dirname,"..","bin","agent-chat"));
