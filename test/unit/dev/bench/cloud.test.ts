import assert from "node:assert/strict";
import type { Resource } from "../../../../cli/verify-cloud/clouds/facts";
import { kinds, results } from "../../../../dev/bench/cloud";

const resource = (type: string, inputs = {}): Resource => ({ urn: `urn::c-controller-0`, type, inputs });

describe("the results of the cloud benchmark", () => {
    const resources = [
        resource("pulumi:pulumi:Stack"),
        resource("pulumi:providers:aws"),
        resource("tradewind:index:DigitalOceanCluster"),
        resource("digitalocean:index/droplet:Droplet", { size: "s-2vcpu-2gb" }),
        resource("digitalocean:index/loadBalancer:LoadBalancer"),
        resource("tls:index/privateKey:PrivateKey"),
    ];

    it("count a stack's resources without Pulumi's own", () => {
        assert.deepEqual(kinds(resources), { digitalocean: 2, tls: 1 });
        const [result] = results("digitalocean", "as-documented", resources);
        assert.equal(result!.name, "cloud.digitalocean.as-documented.resources");
        assert.equal(result!.value, 3);
        assert.equal(result!.ratio, 3 / 54);
    });

    it("are monthly prices divided by those of each peer", () => {
        assert.deepEqual(
            results("digitalocean", "smallest", resources).map(({ name, value, ratio }) => [name, value, ratio]),
            [
                ["cloud.digitalocean.smallest.cost.typhoon", 30, 30 / 36],
                ["cloud.digitalocean.smallest.cost.kops", 30, 30 / 52],
            ],
        );
    });
});
