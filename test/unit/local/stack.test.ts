import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireOwnName } from "../../../local/stack";
import { clusterState } from "../../../local/state";

describe("the name of a local cluster's stack", () => {
    const root = mkdtempSync(join(tmpdir(), "tradewind-stack-"));
    const state = { ...clusterState("a"), backend: root };
    const stacks = join(root, ".pulumi/stacks/tradewind");

    after(() => rmSync(root, { recursive: true }));

    it("may be missing if there is no stack yet", () => {
        requireOwnName(state);
        mkdirSync(stacks, { recursive: true });
        requireOwnName(state);
    });

    it("is the cluster's", () => {
        writeFileSync(join(stacks, "a.json"), "{}");
        requireOwnName(state);
    });

    it("is rejected otherwise, with the command to rename it back", () => {
        renameSync(join(stacks, "a.json"), join(stacks, "blue.json"));
        writeFileSync(join(stacks, "a.json.bak"), "{}");
        assert.throws(() => requireOwnName(state), {
            message:
                "the stack of the cluster a was renamed to blue; rename it back with npm run pulumi -- --name a stack rename --stack blue a",
        });
    });
});
