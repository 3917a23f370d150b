import assert from "node:assert/strict";
import { cleanUpMarker } from "../../../../agents/clean-up/request";
import { kubeconfig } from "../../../../cluster/kubeconfig";
import { resolveCluster } from "../../../../cluster/resolve";
import { CleanUp } from "../../../../components/in-cluster/clean-up";
import { type Deployed, deploy, resolved } from "../../deploy";
import { Created, objectsOf, ownership } from "./owned-in-cluster";

const admin = kubeconfig({
    cluster: "c",
    server: "https://192.0.2.1:6443",
    ca: "CA",
    user: "admin",
    credentials: { cert: "certificate", key: "key" },
});

const cloud = {
    kind: "aws",
    region: "eu-central-1",
    vpcId: "vpc-1",
    clusterTag: "kubernetes.io/cluster/c",
    ownTag: "tradewind.dev/cluster",
} as const;

describe("the clean-up of a cloud", () => {
    let command: Deployed;
    let marker: Deployed;

    before(async () => {
        const cluster = resolveCluster({ name: "c" });
        const createdByCluster = {
            hasLoadBalancers: true,
            drivers: ["ebs.csi.aws.com"],
            findByHand: ["aws ..."],
            cloud,
        };
        const { resources } = await deploy(
            () =>
                new CleanUp("c", {
                    cluster,
                    createdByCluster: { ...createdByCluster, after: [new Created("machines")] },
                    kubeconfig: admin,
                    ...ownership(),
                }),
            { outputs: ({ name }) => (name === "c-clean-up" ? { stdout: "its id" } : {}) },
        );
        command = resources.find(({ name }) => name === "c-clean-up")!;
        [marker] = objectsOf(resources) as [Deployed];
    });

    it("runs on deletion, before the resources that it needs are deleted, with the key as a secret", () => {
        const { inputs, secretInputs, dependsOn } = command;
        assert.match(inputs.delete, /agents\/clean-up\/main\.ts delete$/);
        assert.deepEqual(dependsOn, ["machines"]);
        assert.deepEqual(secretInputs, ["stdin"]);
        assert.deepEqual(JSON.parse(inputs.stdin), {
            cluster: "c",
            server: "https://192.0.2.1:6443",
            ca: "CA",
            cert: "certificate",
            key: "key",
            hasLoadBalancers: true,
            drivers: ["ebs.csi.aws.com"],
            findByHand: ["aws ..."],
            cloud,
        });
        assert.equal(inputs.triggers, undefined);
    });

    it("has a marker with its id in the cluster, deleted with the network or before it", async () => {
        assert.equal(marker.inputs.metadata.name, cleanUpMarker);
        assert.deepEqual(marker.inputs.data, { id: "its id" });
        assert.match(await resolved(marker.opts.deletedWith!.urn), /::network$/);
    });
});
