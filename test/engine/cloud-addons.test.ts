import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { fieldManager, type Manifest, manifestKey, owned } from "../../cluster/manifest";
import { awsAddons } from "../../components/aws/in-cluster";
import { resolveAws } from "../../components/aws/resolve";
import { digitalOceanAddons } from "../../components/digitalocean/in-cluster";
import { resolveDigitalOcean } from "../../components/digitalocean/resolve";
import { rootOf, ServedKinds } from "../../simulator/plugins/kubernetes/cluster";
import { type KubernetesObject, kindOf } from "../../simulator/plugins/kubernetes/object";
import { ApiServer } from "./apiserver";
import { until } from "./until";

const onAws = resolveAws("c", {
    domain: "example.com",
    region: "eu-central-1",
    controllers: { count: 3 },
    cloudController: true,
    csiDriver: true,
    volumeSnapshots: true,
    autoscaler: true,
    workerPools: [{ name: "a", min: 1, max: 3 }],
    cloudImages: { awsCloudController: `registry.example:5000/aws/controller@sha256:${"0".repeat(64)}` },
});

const vpc = { id: pulumi.output("vpc") };
const { cluster, digitalOcean } = resolveDigitalOcean("c", {
    domain: "example.com",
    region: "fra1",
    image: "ubuntu-26-04-x64",
    cloudController: true,
    csiDriver: true,
    volumeSnapshots: true,
    cloudImages: { digitalOceanCsiDriver: "registry.example/csi:v1" },
});
const onDigitalOcean = digitalOceanAddons({
    cluster,
    digitalOcean,
    vpc,
    tokens: { cloudController: "token", csiDriver: "token" },
});

const clouds: Readonly<Record<string, readonly Manifest[]>> = {
    AWS: awsAddons(onAws.cluster, onAws.aws),
    DigitalOcean: [...onDigitalOcean.secrets!.map(({ secret }) => secret), ...onDigitalOcean.manifests],
};

describe("clouds' own controllers with a real kube-apiserver", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let kinds: ServedKinds;

    before(async () => {
        api = await ApiServer.start();
        kinds = new ServedKinds((path) => api.http.send({ method: "GET", path }));
    });
    after(() => api?.stop());

    /** Applies them as the bootstrap and Pulumi do, except that unknown fields are an error. */
    const apply = async (manifest: Manifest) => {
        const { metadata } = manifest;
        const kind = kindOf(manifest as unknown as KubernetesObject);
        const { plural } = await kinds.find(kind);
        const namespace = metadata.namespace ? `/namespaces/${metadata.namespace}` : "";
        return api.http.send({
            method: "PATCH",
            path: `${rootOf(kind)}${namespace}/${plural}/${metadata.name}`,
            query: { fieldManager, fieldValidation: "Strict" },
            contentType: "application/apply-patch+yaml",
            body: owned(manifest),
        });
    };

    const isServed = async (definition: Manifest) => {
        await until(definition.metadata.name, async () => {
            const { status } = (await api.http.send({
                method: "GET",
                path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition.metadata.name}`,
            })) as { status?: { conditions?: { type: string; status: string }[] } };
            const established = status?.conditions?.find(({ type }) => type === "Established");
            return established?.status === "True";
        });
        // The list of kinds follows a moment later.
        const { group, versions, names } = definition.spec as {
            group: string;
            versions: readonly { name: string }[];
            names: { kind: string };
        };
        const kind = { group, version: versions[0]!.name, kind: names.kind };
        await until(names.kind, () => kinds.find(kind).then(Boolean, () => false));
    };

    for (const [cloud, manifests] of Object.entries(clouds)) {
        it(`are accepted unchanged, every object of ${cloud}, twice`, async () => {
            assert.ok(manifests.length > 5);
            for (const manifest of [...manifests, ...manifests]) {
                await assert.doesNotReject(apply(manifest), manifestKey(manifest));
                if (manifest.kind === "CustomResourceDefinition") await isServed(manifest);
            }
        });
    }

    it("let a snapshot have one source, which stays, and show what became of it", async () => {
        const snapshot = (source: object): Manifest => ({
            apiVersion: "snapshot.storage.k8s.io/v1",
            kind: "VolumeSnapshot",
            metadata: { name: "s", namespace: "default" },
            spec: { source },
        });
        await assert.rejects(apply(snapshot({})), /exactly one of volumeSnapshotContentName and/);
        await apply(snapshot({ persistentVolumeClaimName: "a" }));
        await assert.rejects(
            apply(snapshot({ persistentVolumeClaimName: "b" })),
            /persistentVolumeClaimName is immutable/,
        );
        const status = { readyToUse: true, restoreSize: "1Gi", creationTime: "2026-01-01T00:00:00Z" };
        const path = "/apis/snapshot.storage.k8s.io/v1/namespaces/default/volumesnapshots/s/status";
        await api.http.send({ method: "PATCH", path, contentType: "application/merge-patch+json", body: { status } });
        const seen = (await api.http.send({ method: "GET", path })) as { status: object };
        assert.deepEqual(seen.status, status);
    });

    it("run custom images", () => {
        const images = (cloud: string) => JSON.stringify(clouds[cloud]).match(/(?<="image":")registry\.example[^"]+/g);
        assert.deepEqual(images("AWS"), [`registry.example:5000/aws/controller@sha256:${"0".repeat(64)}`]);
        assert.deepEqual(new Set(images("DigitalOcean")), new Set(["registry.example/csi:v1"]));
    });

    it("would be rejected for a misspelt field or an invalid value", async () => {
        const deployment = clouds.AWS!.find(({ kind }) => kind === "Deployment")!;
        const spec = deployment.spec as object;
        await assert.rejects(apply({ ...deployment, spec: { ...spec, replica: 2 } }), /replica.*field not declared/s);
        await assert.rejects(apply({ ...deployment, spec: { ...spec, replicas: -1 } }), /replicas.*greater than/s);
    });
});
