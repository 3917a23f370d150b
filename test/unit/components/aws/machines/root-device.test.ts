import assert from "node:assert/strict";
import { deployAws as create } from "../deploy-aws";

describe("the root volume of a pool's instances", function () {
    this.timeout(60_000);

    const deviceOf = async (options: Parameters<typeof create>[0]) => {
        const { resources } = await create({ ...options, workerPools: [{ name: "a" }] });
        const { inputs } = resources.find(({ type }) => type.endsWith(":LaunchTemplate"))!;
        return inputs.blockDeviceMappings[0].deviceName;
    };

    it("is where an AMI of yours has it, whatever it takes its configuration by", async () => {
        for (const os of ["ignition", "cloud-init"]) {
            assert.equal(await deviceOf({ os, image: "ami-0123456789abcdef0" }), "/dev/sda1");
        }
    });

    it("is where Flatcar and Fedora CoreOS have it, of an AMI that is looked up", async () => {
        assert.equal(await deviceOf({ image: "flatcar-stable" }), "/dev/xvda");
    });
});
