"use strict";var r=require("path");process.argv.splice(2,0,"setup");require((0,r.join)(__dirname,"main.js"));
