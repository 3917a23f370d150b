import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { DigitalOceanCluster } from "../../../index";
import { componentArgs } from "../../../plugin/provider";
import { downloads } from "../components/in-cluster/fixture";

describe("a component's arguments from another language", () => {
    it("are those that it has in TypeScript", () => {
        const inputs = { domain: "example.com", workerPools: [{ name: "default", labels: {} }], keys: { etcdCa: [1] } };
        assert.deepEqual(componentArgs(inputs), inputs);
    });

    it("are sorted, except for lists", () => {
        const labels = { b: "1", a: "2" };
        const pools = [
            { name: "second", labels },
            { labels, name: "first" },
        ];
        assert.equal(
            JSON.stringify(componentArgs({ workerPools: pools })),
            '{"workerPools":[{"labels":{"a":"2","b":"1"},"name":"second"},{"labels":{"a":"2","b":"1"},"name":"first"}]}',
        );
    });

    it("have numbers among the keys that encrypt, which lists of texts have not", () => {
        const { keys } = componentArgs({ keys: { encryption: ["plain", "12"], etcdCa: [2, 1] } });
        assert.deepEqual(keys, { encryption: ["plain", 12], etcdCa: [2, 1] });
    });

    it("may be late or secret only if they do not change the topology", async () => {
        const { etcdSnapshotSecrets } = componentArgs({ etcdSnapshotSecrets: { accessKeyId: pulumi.secret("id") } });
        assert.equal(await pulumi.isSecret(etcdSnapshotSecrets), true);
        const plain = { domain: "example.com", region: "fra1", downloads };
        for (const [inputs, argument] of [
            [{ domain: pulumi.output("example.com") }, "domain"],
            [{ workerPools: [{ name: "default", count: pulumi.secret(2) }] }, "workerPools[0].count"],
            [{ keys: { encryption: [pulumi.output("1")] } }, "keys.encryption[0]"],
        ] as const) {
            const args = componentArgs({ ...plain, ...inputs });
            assert.throws(() => new DigitalOceanCluster("c", args as never), {
                message: `${argument} must be a plain value known at preview, got an output or a secret`,
            });
        }
    });
});
