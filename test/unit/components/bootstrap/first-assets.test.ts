import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../../../../bundling/agents";
import { bootstrapAssets } from "../../../../cluster/machines/bootstrap/assets";
import { resolveCluster } from "../../../../cluster/resolve";
import { firstAssets } from "../../../../components/bootstrap/bootstrap";
import { bundle } from "../../../../ignition";
import { deploy, resolved } from "../../deploy";
import { fakeCredentials } from "../in-cluster/fixture";

describe("what starts a cluster on its first controller", () => {
    const cluster = resolveCluster({ name: "c" });
    const secrets = fakeCredentials(cluster);

    it("is the bootstrap's assets for that machine, with the agents of this package, as secret as its keys", async () => {
        const machine = { name: "c-controller-0", address: "10.0.0.11" };
        const { result } = await deploy(() =>
            firstAssets(cluster, { ...machine, address: pulumi.output(machine.address) }, pulumi.secret(secrets)),
        );
        assert.equal(await pulumi.isSecret(result), true);
        const agents = {
            agent: bundleAgent("bootstrap"),
            checkpointer: bundleAgent("checkpointer"),
            nodeApprover: bundleAgent("node-approver"),
        };
        assert.deepEqual(await resolved(result), bundle(bootstrapAssets(cluster, { machine, secrets, ...agents })));
    });
});
