import assert from "node:assert/strict";
import { destroyCluster } from "../../../machines";
import { shared, sharedCluster } from "../shared";

describe("a cluster whose machines are gone without the stack's knowing", function () {
    this.timeout(300_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    it("can be destroyed all the same", async () => {
        await destroyCluster(shared.name);
        const { stdout } = await shared.destroy();
        assert.match(stdout, /the cluster test is gone/);
    });
});
