import assert from "node:assert/strict";
import { createBootstrap } from "../../../components/bootstrap";
import { deploy } from "../deploy";

describe("the wait for the pivot", () => {
    it("is done once: not again when its wording changes, and not at destroy", async () => {
        const { resources } = await deploy(() => createBootstrap("c", { waitCommand: "wait" }, {}));
        const { name, inputs } = resources.at(-1)!;
        assert.equal(name, "c-bootstrap");
        assert.equal(inputs.create, "wait");
        assert.equal(inputs.update, "true");
        assert.equal(inputs.delete, undefined);
    });
});
