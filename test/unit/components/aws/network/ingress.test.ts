import assert from "node:assert/strict";
import { resolveCluster } from "../../../../../cluster/resolve";
import { requireAwsIngress } from "../../../../../components/aws/network/ingress";
import { deployAws } from "../deploy-aws";

const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a" }] });

describe("ingress on AWS", function () {
    this.timeout(60_000);
    const targets = async (proxyProtocol?: boolean) => {
        const options = { workerPools: [{ name: "a" }], ingress: { httpPort: 30080, proxyProtocol } };
        const { resources } = await deployAws(options);
        const groups = resources.filter(({ type }) => type.endsWith(":TargetGroup"));
        return groups.map(({ name, inputs }) => [name, inputs.preserveClientIp, inputs.proxyProtocolV2]).sort();
    };

    it("shows workers the clients' addresses", async () => {
        assert.deepEqual(await targets(), [
            ["c-30080", "true", undefined],
            ["c-443", "true", undefined],
            ["c-api", "false", undefined],
        ]);
    });

    it("can send them in a header, so that a pod on the chosen worker gets an answer too", async () => {
        assert.deepEqual(await targets(true), [
            ["c-30080", "false", true],
            ["c-443", "false", true],
            ["c-api", "false", undefined],
        ]);
    });

    it("has no other port for health checks then, since they send that header too", () => {
        const healthCheck = { port: 10254, path: "/healthz" };
        assert.deepEqual(requireAwsIngress({ healthCheck }, cluster).healthCheck, healthCheck);
        assert.throws(() => requireAwsIngress({ healthCheck, proxyProtocol: true }, cluster), {
            message:
                "ingress.healthCheck.port must be 80 or 443 with proxyProtocol, because health checks send its header too (got 10254)",
        });
        const own = { healthCheck: { port: 80, path: "/healthz" }, proxyProtocol: true };
        assert.equal(requireAwsIngress(own, cluster).proxyProtocol, true);
    });
});
