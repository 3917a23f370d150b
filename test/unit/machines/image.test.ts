import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(__dirname, "../../../machines/image");

describe("the scripts in the machines' image", () => {
    for (const name of readdirSync(FOLDER).filter((file) => !file.includes("."))) {
        const path = join(FOLDER, name);
        const text = readFileSync(path, "utf8");

        it(`${name} is short, fails on unset variables, and parses`, () => {
            assert.ok(text.startsWith("#!/bin/sh\n"));
            assert.match(text, /^set -e?u$/m);
            assert.ok(text.split("\n").length <= 60, "more than 60 lines");
            execFileSync("sh", ["-n", path]);
        });
    }
});
