import assert from "node:assert/strict";
import { createBootstrap, createRestart } from "../../../../components/bootstrap/bootstrap";
import { deploy } from "../../deploy";
import { unpacked } from "../in-cluster/unpacked";

describe("the start of a cluster", () => {
    it("is done once: not again when its wording or its assets change, and not at destroy", async () => {
        const { resources } = await deploy(() => createBootstrap("c", { command: "run", input: "keys" }, {}));
        const { name, inputs, opts, secretInputs } = resources.at(-1)!;
        assert.equal(name, "c-bootstrap");
        const { stdin, ...rest } = inputs;
        assert.deepEqual(rest, { create: "run", update: "true" });
        assert.equal(unpacked(stdin), "keys");
        assert.deepEqual(secretInputs, ["stdin"]);
        assert.deepEqual(opts.ignoreChanges, ["stdin"]);
    });

    it("is repeated only for another machine, with the current configuration", async () => {
        const args = { command: "run", input: "keys", machineId: "i-1" };
        const { resources } = await deploy(() => createRestart("c", args, {}));
        const { name, inputs, opts, secretInputs } = resources.at(-1)!;
        assert.equal(name, "c-restart");
        const { stdin, ...rest } = inputs;
        assert.deepEqual(rest, { create: "run", update: "true", triggers: ["i-1"] });
        assert.equal(unpacked(stdin), "keys");
        assert.deepEqual([secretInputs, opts.ignoreChanges], [["stdin"], undefined]);
    });
});
