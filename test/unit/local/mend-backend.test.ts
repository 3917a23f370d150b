import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterState } from "../../../local/state";
import { mendBackend } from "../../../local/up";

describe("mending a backend", () => {
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

    it("leaves a whole one as it is", () => {
        write({ "lab.json": '{"version":3}', "lab.json.bak": '{"version":2}', "lab.json.attrs": "{}" });
        mend();
        assert.equal(read("lab.json"), '{"version":3}');
        assert.deepEqual(readdirSync(dir()).sort(), ["lab.json", "lab.json.attrs", "lab.json.bak"]);
        assert.deepEqual(said, []);
    });

    for (const text of ["", '{"version":']) {
        it(`takes the engine's copy for a stack that holds ${JSON.stringify(text)}`, () => {
            write({ "lab.json": text, "lab.json.bak": '{"version":2}' });
            mend();
            assert.equal(read("lab.json"), '{"version":2}');
            assert.equal(said.length, 1);
        });
    }

    it("does not bring a removed stack back", () => {
        write({ "lab.json.bak": '{"version":2}' });
        mend();
        assert.deepEqual(readdirSync(dir()), ["lab.json.bak"]);
    });

    it("takes away a sidecar that a killed engine left empty, which hides the stack", () => {
        write({ "lab.json": "{}", "lab.json.attrs": "" });
        mend();
        assert.deepEqual(readdirSync(dir()), ["lab.json"]);
    });

    it("leaves alone what it cannot mend", () => {
        write({ "lab.json": "", "lab.json.bak": "" });
        mend();
        assert.equal(read("lab.json"), "");
    });

    it("has nothing to do before there is a stack", () => {
        mend();
        assert.deepEqual(said, []);
    });
});
