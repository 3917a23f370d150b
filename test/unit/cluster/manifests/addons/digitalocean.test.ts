import assert from "node:assert/strict";
import {
    digitalOceanCloudController,
    digitalOceanCloudControllerSecret,
} from "../../../../../cluster/manifests/addons/digitalocean";
import { decoded, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster({ cloudProvider: "digitalocean" });

describe("the cloud controller of DigitalOcean", () => {
    it("is as reviewed", () =>
        golden(__dirname, "digitalocean-cloud-controller", digitalOceanCloudController(cluster)));

    it("has its token from a Secret, and its manifests hold none", () => {
        const secret = digitalOceanCloudControllerSecret({ token: "dop_v1_abc", vpcId: "vpc" });
        assert.deepEqual(decoded(secret), { token: "dop_v1_abc", vpcId: "vpc" });
        const manifests = digitalOceanCloudController(cluster);
        const references = JSON.stringify(manifests).match(/"secretKeyRef":\{[^}]*\}/g)!;
        assert.deepEqual(
            references.map((each) => JSON.parse(`{${each}}`).secretKeyRef),
            ["token", "vpcId"].map((key) => ({ name: secret.metadata.name, key })),
        );
        assert.ok(manifests.every(({ kind }) => kind !== "Secret"));
    });
});
