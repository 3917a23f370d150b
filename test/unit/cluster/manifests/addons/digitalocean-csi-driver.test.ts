import assert from "node:assert/strict";
import {
    digitalOceanCsiDriver,
    digitalOceanCsiDriverSecret,
} from "../../../../../cluster/manifests/addons/digitalocean";
import { decoded, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const manifests = digitalOceanCsiDriver(fixedCluster());

describe("the driver of DigitalOcean's volumes", () => {
    it("is as reviewed", () => golden(__dirname, "digitalocean-csi-driver", manifests));

    it("has its token from a Secret", () => {
        const secret = digitalOceanCsiDriverSecret("dop_v1_abc");
        assert.deepEqual(decoded(secret), { token: "dop_v1_abc" });
        const reference = JSON.stringify({ secretKeyRef: { name: secret.metadata.name, key: "token" } });
        assert.ok(JSON.stringify(manifests).includes(reference.slice(1, -1)));
    });
});
