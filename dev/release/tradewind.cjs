#!/usr/bin/env node
"use strict";

// Entry point in the package; the checkout's is dev/tradewind.cjs.
const { endWith } = require("../command-line/end-with.cjs");

endWith(require("./tradewind.js").main(process.argv.slice(2)));
