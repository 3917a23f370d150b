#!/usr/bin/env node
"use strict";

// The package's own; that of the checkout is dev/tradewind.cjs.
const { endWith } = require("../command-line/end-with.cjs");

endWith(require("./tradewind.js").main(process.argv.slice(2)));
