import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { isMocked, takesHooks } from "../../../../components/pulumi/engine";
import { deploy } from "../../deploy";

describe("hooks", () => {
    it("are taken by an engine, and not by Pulumi's own mocks", async () => {
        const { result } = await deploy(takesHooks);
        assert.equal(result, true);
        await pulumi.runtime.setMocks({
            call: ({ inputs }) => inputs,
            newResource: ({ name }) => ({ id: name, state: {} }),
        });
        assert.equal(takesHooks(), false);
    });

    it("are no sign of a cluster: mocks have none, whether or not they take hooks", async () => {
        assert.equal((await deploy(isMocked)).result, true);
    });
});
