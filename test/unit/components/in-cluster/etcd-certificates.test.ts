import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../../../cluster/model";
import { resolveCluster } from "../../../../cluster/resolve";
import { EtcdCertificates } from "../../../../components/in-cluster/etcd";
import { deploy } from "../../deploy";
import { fakeCredentials, fixedCluster, withCandidates } from "./fixture";
import { Created, objectsOf, ownership } from "./owned-in-cluster";

describe("new certificates of etcd's members", () => {
    async function objectsFor(cluster: Cluster) {
        const { resources } = await deploy(
            () =>
                new EtcdCertificates("c", {
                    cluster,
                    credentials: pulumi.secret(fakeCredentials(cluster)),
                    after: [new Created("members")],
                    ...ownership(),
                }),
        );
        return objectsOf(resources);
    }

    it("are awaited for no member with candidates: any machine may be off, or have none", async () => {
        const waits = async (cluster: Cluster) =>
            (await objectsFor(cluster))
                .filter(({ type }) => type.endsWith(":Job"))
                .map(({ inputs }) => inputs.metadata.annotations?.["pulumi.com/skipAwait"] !== "true");
        const certificates = { generation: 2 };
        assert.deepEqual(await waits(withCandidates({ certificates })), [false, false, false, false, false]);
        assert.deepEqual(await waits(fixedCluster({ certificates, controllers: { count: 3 } })), [true, true, true]);
    });

    it("are installed one member at a time, and are not secret", async () => {
        const cluster = resolveCluster({ name: "c", controllers: { count: 3 }, certificates: { generation: 2 } });
        const objects = await objectsFor(cluster);
        const job = (index: number) => `c/job/kube-system/etcd-certificates-c-controller-${index}-2`;
        const config = (index: number) => `c/configmap/kube-system/etcd-certificates-c-controller-${index}`;
        const waitsFor = (name: string) => objects.find((each) => each.name === name)!.dependsOn;
        const program = objects.find(({ inputs }) => inputs.immutable)!.name;
        assert.deepEqual([...waitsFor(job(0))].sort(), [config(0), program, "members"].sort());
        assert.deepEqual([...waitsFor(job(1))].sort(), [config(1), job(0)].sort());
        assert.deepEqual([...waitsFor(job(2))].sort(), [config(2), job(1)].sort());
        for (const { secretInputs, name } of objects) assert.deepEqual(secretInputs, [], name);
    });
});
