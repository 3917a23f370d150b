import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireConfig, requireOwnName } from "../../../local/stack";
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

describe("the configuration of a local cluster that exists", () => {
    const root = mkdtempSync(join(tmpdir(), "tradewind-config-"));
    const state = { ...clusterState("a"), backend: root, config: join(root, "Pulumi.a.yaml") };
    const file = join(root, ".pulumi/stacks/tradewind/a.json");
    const write = (resources: readonly object[]) =>
        writeFileSync(file, JSON.stringify({ checkpoint: { latest: { resources } } }));
    const machine = { urn: "urn:pulumi:a::tradewind::command:local:Command::m", type: "command:local:Command" };

    before(() => mkdirSync(join(root, ".pulumi/stacks/tradewind"), { recursive: true }));
    after(() => rmSync(root, { recursive: true }));

    it("may be missing before there is a machine", () => {
        requireConfig(state);
        write([]);
        requireConfig(state);
    });

    for (const text of [undefined, "", "encryptionsalt: v1:x\n", "config: {}\n"]) {
        it(`must not be lost, or its machines would be: ${JSON.stringify(text)}`, () => {
            write([machine]);
            if (text !== undefined) writeFileSync(state.config, text);
            assert.throws(() => requireConfig(state), {
                message: `${state.config} must have the configuration of the cluster a, which exists, but has none; npm run pulumi -- --name a config refresh restores that of the last pulumi up`,
            });
        });
    }

    it("is used if it has values", () => {
        writeFileSync(state.config, 'config:\n    tradewind:controllers: "3"\n');
        requireConfig(state);
    });
});
