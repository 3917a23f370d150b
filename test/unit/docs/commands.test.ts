import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { groups } from "../../../bench";
import { START_HELP } from "../../../cli/start-help";
import { commandsOf, pages, root, textOf } from "./pages";

const { scripts } = require("../../../package.json");

describe("commands of the documentation", () => {
    for (const page of pages) {
        it(`of ${page} are there`, () => {
            for (const command of commandsOf(page)) {
                const [, script, rest = ""] = /^npm (?:run )?(?:-s )?([\w:-]+)(?: -- (.*))?/.exec(command) ?? [];
                if (script === undefined || ["ci", "install", "i", "pack", "publish"].includes(script)) continue;
                assert.ok(script in scripts, command);
                check[script]?.(rest.replace(/\s+#.*| {2,}.*/, ""), command);
            }
        });

        it(`of ${page} name tests and files that are there`, () => {
            const named = textOf(page).match(/\b(?:test|bench|cli|agents|components|stacks)\/[\w/.-]+\.ts\b/g) ?? [];
            assert.deepEqual(
                named.filter((path) => !existsSync(join(root, path))),
                [],
            );
        });
    }

    /** What the arguments of a script must be, by the script. */
    const check: Record<string, (args: string, command: string) => void> = {
        start: (args, command) => {
            for (const option of args.match(/--[\w-]+/g) ?? []) {
                assert.ok(START_HELP.includes(option), command);
            }
        },
        tradewind: (args, command) => {
            const [name = ""] = args.split(" ");
            const known = readdirSync(join(root, "cli/commands")).map((file) => file.replace(/\.ts$/, ""));
            assert.ok(["--help", "COMMAND", "", ...known].includes(name), command);
        },
        bench: (args, command) => {
            for (const name of args.split(" ").filter((word) => /^[a-z]/.test(word))) {
                assert.ok(groups().includes(name), command);
            }
        },
    };
});
