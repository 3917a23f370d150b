import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { DigitalOceanCluster } from "../../../index";
import { decodedArgs } from "../../../plugin/decode";
import { downloads } from "../components/in-cluster/fixture";
import { resolved } from "../deploy";

const componentArgs = (inputs: pulumi.Inputs) => decodedArgs("DigitalOceanCluster", inputs);

describe("a component's arguments from another language", () => {
    it("are those that it has in TypeScript", async () => {
        const inputs = { domain: "example.com", workerPools: [{ name: "default", labels: {} }], keys: { etcdCa: [1] } };
        assert.deepEqual(await componentArgs(inputs), inputs);
    });

    it("are sorted, except for lists", async () => {
        const labels = { b: "1", a: "2" };
        const pools = [
            { name: "second", labels },
            { labels, name: "first" },
        ];
        assert.equal(
            JSON.stringify(await componentArgs({ workerPools: pools })),
            '{"workerPools":[{"labels":{"a":"2","b":"1"},"name":"second"},{"labels":{"a":"2","b":"1"},"name":"first"}]}',
        );
    });

    it("have numbers among the keys that encrypt, which lists of texts have not", async () => {
        const { keys } = await componentArgs({ keys: { encryption: ["plain", "12"], etcdCa: [2, 1] } });
        assert.deepEqual(keys, { encryption: ["plain", 12], etcdCa: [2, 1] });
    });

    it("may be late or secret only if they do not change the topology", async () => {
        const { etcdSnapshotSecrets } = await componentArgs({
            etcdSnapshotSecrets: { accessKeyId: pulumi.secret("id") },
        });
        assert.equal(await pulumi.isSecret(etcdSnapshotSecrets), true);
        const plain = { domain: "example.com", region: "fra1", downloads };
        for (const [inputs, argument] of [
            [{ domain: pulumi.output("example.com") }, "domain"],
            [{ workerPools: [{ name: "default", count: pulumi.secret(2) }] }, "workerPools[0].count"],
            [{ workerPools: pulumi.secret([{ name: "default" }]) }, "workerPools[0].name"],
            [{ keys: { encryption: [pulumi.output("1")] } }, "keys.encryption[0]"],
        ] as const) {
            const args = await componentArgs({ ...plain, ...inputs });
            assert.throws(() => new DigitalOceanCluster("c", args as never), {
                message: new RegExp(
                    `^${argument.replace(/[[\]]/g, "\\$&")} must be a plain value known at preview \\(got an output`,
                ),
            });
        }
    });

    it("are spread where the engine makes one output of a list with outputs in it", async () => {
        const team = pulumi.output(["43", "team"]);
        const { sshKeys, workerPools } = await componentArgs({
            sshKeys: team.apply(([key]) => ["42", key]),
            workerPools: team.apply(([, name]) => [{ name: "default", labels: {}, snippets: [name] }]),
        });
        assert.deepEqual(await Promise.all(sshKeys.map(resolved)), ["42", "43"]);
        assert.deepEqual(workerPools, [{ labels: {}, name: "default", snippets: ["team"] }]);
        const { sshKeys: secret } = await componentArgs({ sshKeys: pulumi.secret(["42"]) });
        assert.equal(await pulumi.isSecret(secret[0]), true);
    });

    it("are outputs where the engine knows no value yet", async () => {
        const { unknown } = pulumi;
        const { project, tags, region } = await componentArgs({
            project: unknown,
            tags: pulumi.output(["a", unknown]),
            region: unknown,
        });
        assert.equal(tags.length, 2);
        for (const each of [project, ...tags, region]) assert.equal(pulumi.Output.isInstance(each), true);
    });
});
