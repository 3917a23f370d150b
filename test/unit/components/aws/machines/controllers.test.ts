import assert from "node:assert/strict";
import { deployAws as create } from "../deploy-aws";

describe("a controller's instance on AWS", function () {
    this.timeout(60_000);

    it("shows by its public address that another topology was chosen", async () => {
        const running = { associatePublicIpAddress: false, instanceState: "running" };
        await assert.rejects(
            () => create({}, false, running),
            /topology cannot be changed after creation \(is private, got public\)/,
        );
        const isPublic = { associatePublicIpAddress: true, instanceState: "running" };
        await assert.rejects(
            () => create({ topology: "private" }, false, isPublic),
            /topology cannot be changed after creation \(is public, got private\)/,
        );
    });

    it("shows nothing while it is stopped, so that previews still work", async () => {
        for (const instanceState of ["stopped", "stopping"]) {
            await create({}, false, { associatePublicIpAddress: false, instanceState });
        }
    });
});
