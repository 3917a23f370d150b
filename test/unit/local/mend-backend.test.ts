import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterState } from "../../../local/state";
import { mendBackend } from "../../../local/up";

describe("repairing a backend", () => {
    let root: string;
    let said: string[];

    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-mend-"));
        said = [];
    });
    afterEach(() => rmSync(root, { recursive: true }));

    const dir = () => join(root, "backend/.pulumi/stacks/tradewind");
    const mend = () =>
        mendBackend({ ...clusterState("lab"), backend: join(root, "backend") }, (line) => said.push(line));
    const write = (files: Record<string, string>) => {
        mkdirSync(dir(), { recursive: true });
        for (const [name, text] of Object.entries(files)) {
            writeFileSync(join(dir(), name), text);
        }
    };
    const read = (name: string) => readFileSync(join(dir(), name), "utf8");

    it("does not change an intact one", () => {
        write({ "lab.json": '{"version":3}', "lab.json.bak": '{"version":2}', "lab.json.attrs": "{}" });
        mend();
        assert.equal(read("lab.json"), '{"version":3}');
        assert.deepEqual(readdirSync(dir()).sort(), ["lab.json", "lab.json.attrs", "lab.json.bak"]);
        assert.deepEqual(said, []);
    });

    for (const text of ["", '{"version":']) {
        it(`uses Pulumi's backup for a stack that contains ${JSON.stringify(text)}`, () => {
            write({ "lab.json": text, "lab.json.bak": '{"version":2}' });
            mend();
            assert.equal(read("lab.json"), '{"version":2}');
            assert.equal(said.length, 1);
        });
    }

    it("does not restore a removed stack", () => {
        write({ "lab.json.bak": '{"version":2}' });
        mend();
        assert.deepEqual(readdirSync(dir()), ["lab.json.bak"]);
    });

    it("removes an empty sidecar file of a killed run, which hides the stack", () => {
        write({ "lab.json": "{}", "lab.json.attrs": "" });
        mend();
        assert.deepEqual(readdirSync(dir()), ["lab.json"]);
    });

    it("leaves what it cannot repair", () => {
        write({ "lab.json": "", "lab.json.bak": "" });
        mend();
        assert.equal(read("lab.json"), "");
    });

    it("does nothing before a stack exists", () => {
        mend();
        assert.deepEqual(said, []);
    });
});
