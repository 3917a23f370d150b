import assert from "node:assert/strict";
import { destroyCluster } from "../../../machines";
import { shared, sharedCluster } from "../shared";

describe("a cluster whose machines were removed outside the stack", function () {
    this.timeout(300_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    it("can still be destroyed", async () => {
        await destroyCluster(shared.name);
        const { stdout } = await shared.destroy();
        assert.match(stdout, /cluster test destroyed in/);
    });
});
