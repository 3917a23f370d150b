"use strict";

// Works with nothing installed: checks Node, installs the npm packages if need be, then hands over to cli/<command>.ts.
const { join } = require("node:path");
const { endWith } = require("./end-with.cjs");

const COMMANDS = ["start", "test", "artifacts", "bench", "soak", "pulumi", "tradewind", "package", "reference", "site"];
/** Looked at again and again, and at night: they start quickly. */
const QUICK = ["tradewind"];
const OLDEST_NODE = 20;

/** Where an error came up, in the sources. */
let stackOf = ({ stack }) => stack;

async function main([command, ...args]) {
    const major = Number(process.versions.node.split(".")[0]);
    if (major < OLDEST_NODE) {
        throw new Error(`Node must be ${OLDEST_NODE} or newer, got ${process.version}: https://nodejs.org/en/download`);
    }
    if (!COMMANDS.includes(command)) {
        throw new Error(`command must be one of ${COMMANDS.join(", ")}, got ${command || "nothing"}`);
    }
    await require("./npm-packages.cjs").ensureNpmPackages();
    if (QUICK.includes(command)) {
        const program = await require("./quick-start.cjs").loadQuickly(command);
        stackOf = program.stackOf;
        return program.main(args);
    }
    require("tsx/cjs");
    return require(join(__dirname, `${command}.ts`)).main(args);
}

endWith(main(process.argv.slice(2)), (error) => stackOf(error));
