import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { requireWritable } from "../../../../cli/verify-cloud/report";
import { reopenStack, VerifyStack } from "../../../../cli/verify-cloud/stack";
import { clusterState, createState } from "../../../../local/state";
import { setVariables } from "../../../variables";

describe("the state of tradewind verify-cloud", () => {
    let root: string;
    let reset = () => {};

    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-verified-"));
        reset = setVariables({ TRADEWIND_STATE: root });
    });
    afterEach(() => {
        reset();
        rmSync(root, { recursive: true });
    });

    const stackOf = (id: string, existing: () => Promise<string[]>) =>
        new VerifyStack(createState("verify"), "digitalocean", { id, existing });

    it("is only removed once the account has nothing of the cluster", async () => {
        const { state } = stackOf("1", async () => []);
        await assert.rejects(stackOf("1", async () => ["VPC verify (1)"]).forget(), /still has VPC verify/);
        await assert.rejects(stackOf("1", () => Promise.reject(new Error("429"))).forget(), /429/);
        assert.ok(existsSync(state.passphrase));
        await stackOf("1", async () => []).forget();
        assert.equal(existsSync(state.dir), false);
    });

    it("is neither destroyed nor removed with the credentials of another account, where nothing would be found", async () => {
        const stack = stackOf("2", async () => []);
        writeFileSync(join(stack.state.dir, "account"), "1");
        const refused = /must be those of the account 1, which has the cluster \(got 2\)/;
        await assert.rejects(
            stack.destroy(() => {}),
            refused,
        );
        await assert.rejects(stack.forget(), refused);
        assert.ok(existsSync(stack.state.passphrase));
    });

    it("is not opened for another cloud, where nothing would be found", async () => {
        createState("verify");
        writeFileSync(clusterState("verify").config, stringify({ config: { "tradewind:cloud": "aws" } }));
        await assert.rejects(
            reopenStack("verify", "digitalocean"),
            /--cloud must be aws, which has the cluster verify \(got digitalocean\)/,
        );
    });

    it("is not created if no report could be written", () => {
        requireWritable(join(root, "new/folder"));
        writeFileSync(join(root, "file"), "");
        assert.throws(
            () => requireWritable(join(root, "file/folder")),
            /--report must be a folder that can be written/,
        );
        if (process.getuid?.() === 0) return;
        chmodSync(root, 0o500);
        assert.throws(() => requireWritable(root), /--report must be a folder/);
    });
});
