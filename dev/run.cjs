"use strict";

// Works with nothing installed: checks Node, installs the npm packages if necessary, then runs the command.
const { join } = require("node:path");
const { endWith } = require("../command-line/end-with.cjs");

/** Entry points of commands in the checkout. */
const COMMANDS = {
    start: "local/start.ts",
    tradewind: "cli/tradewind.ts",
    test: "dev/test/index.ts",
    bench: "dev/bench/index.ts",
    conformance: "dev/conformance/index.ts",
    reference: "dev/reference/index.ts",
    "add-version": "dev/add-version.ts",
    "image-digests": "dev/image-digests.ts",
    artifacts: "artifacts/cli.ts",
    package: "dev/package.ts",
    "release-notes": "dev/release/notes.ts",
    numbers: "dev/numbers.ts",
    recording: "dev/recording/index.ts",
    pulumi: "dev/pulumi.ts",
    site: "dev/site.ts",
    soak: "test/soak/index.ts",
};
/** Optimized for startup time, because they are run often. */
const QUICK = ["tradewind"];
const OLDEST_NODE = 20;

/** Maps an error's stack trace to the sources. */
let stackOf = ({ stack }) => stack;

async function main([command, ...args]) {
    const major = Number(process.versions.node.split(".")[0]);
    if (major < OLDEST_NODE) {
        throw new Error(
            `Node must be ${OLDEST_NODE} or newer (got ${process.version}): https://nodejs.org/en/download`,
        );
    }
    if (!Object.hasOwn(COMMANDS, command)) {
        throw new Error(`command must be one of ${Object.keys(COMMANDS).join(", ")} (got ${command || "nothing"})`);
    }
    const file = join(__dirname, "..", COMMANDS[command]);
    await require("./npm-packages.cjs").ensureNpmPackages();
    if (QUICK.includes(command)) {
        const program = await require("../bundling/quick-start.cjs").loadQuickly(file);
        stackOf = program.stackOf;
        return program.main(args);
    }
    require("tsx/cjs");
    return require(file).main(args);
}

endWith(main(process.argv.slice(2)), (error) => stackOf(error));
