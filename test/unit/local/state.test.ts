import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterState, createState, hasState, removeState } from "../../../local/state";

describe("the state of a cluster", () => {
    const before = process.env.TRADEWIND_STATE;
    let root: string;
    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-state-"));
        process.env.TRADEWIND_STATE = root;
    });
    afterEach(() => {
        if (before === undefined) {
            delete process.env.TRADEWIND_STATE;
        } else {
            process.env.TRADEWIND_STATE = before;
        }
        rmSync(root, { recursive: true });
    });

    it("is readable by its owner only", () => {
        const { dir, passphrase } = createState("local");
        assert.equal(statSync(dir).mode & 0o777, 0o700);
        assert.equal(statSync(passphrase).mode & 0o777, 0o600);
    });

    it("has a passphrase of 32 random bytes, created once", () => {
        const { passphrase } = createState("local");
        const first = readFileSync(passphrase, "utf8");
        assert.equal(Buffer.from(first, "base64url").length, 32);
        createState("local");
        assert.equal(readFileSync(passphrase, "utf8"), first);
        assert.notEqual(readFileSync(createState("other").passphrase, "utf8"), first);
    });

    it("does not replace a missing passphrase that encrypted secrets", () => {
        const { backend, passphrase } = createState("local");
        writeFileSync(join(backend, "state"), "");
        rmSync(passphrase);
        assert.throws(() => createState("local"), /is missing: without it, .* cannot be decrypted/);
        assert.equal(existsSync(passphrase), false);
    });

    it("can be removed without affecting other clusters", () => {
        createState("one");
        createState("two");
        removeState("one");
        assert.deepEqual([hasState("one"), hasState("two")], [false, true]);
    });

    it("has its configuration under Pulumi's name for the stack", () => {
        assert.equal(clusterState("mine").config, join(root, "mine/Pulumi.mine.yaml"));
    });
});
