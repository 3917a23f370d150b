import assert from "node:assert/strict";
import { planSchema } from "../../../../../agents/etcd/keeper/plan";
import { planProblems } from "../../../../../agents/harness/plan";
import { bundleAgent } from "../../../../../bundling/agents";
import type { Manifest } from "../../../../../cluster/manifest";
import {
    etcdKeeper,
    etcdKeeperPlan,
    etcdSnapshotJob,
    etcdSnapshotSecret,
} from "../../../../../cluster/manifests/etcd/etcd-keeper";
import type { Container, PodSpec } from "../../../../../cluster/manifests/pod";
import { fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster({ controllers: { count: 3 } });
const manifests = etcdKeeper(cluster, "text");
const ofKind = (kind: string) => manifests.find((manifest) => manifest.kind === kind)!;
const pods: [string, PodSpec][] = [
    ["keeper", podOf(ofKind("Deployment").spec)],
    ["snapshot on demand", podOf((ofKind("CronJob") as { spec?: Nested }).spec?.jobTemplate?.spec)],
];

interface Nested {
    readonly jobTemplate?: { readonly spec: unknown };
}

function podOf(spec: unknown): PodSpec {
    return (spec as { template: { spec: PodSpec } }).template.spec;
}

describe("The manifests of etcd's keeper", () => {
    it("are as reviewed", () => golden(__dirname, "etcd-keeper", manifests));

    it("have a plan that the agent accepts", () =>
        assert.deepEqual(planProblems(etcdKeeperPlan(cluster), planSchema), []));

    it("have room for the agent in a ConfigMap", () => assert.ok(bundleAgent("etcd-keeper").length < 2 ** 20));

    it("roll the pods with another agent or another plan", () => {
        const names = (list: Manifest[]) =>
            list.filter(({ kind }) => kind === "ConfigMap").map(({ metadata }) => metadata.name);
        const [program, plan] = names(manifests);
        const [otherProgram, samePlan] = names(etcdKeeper(cluster, "other text"));
        assert.notEqual(otherProgram, program);
        assert.equal(samePlan, plan);
        const changed = fixedCluster({ controllers: { count: 3 }, etcdSnapshots: { keep: 3 } });
        assert.notEqual(names(etcdKeeper(changed, "text"))[1], plan);
    });

    it("may only write its own status", () => {
        assert.deepEqual(ofKind("Role").rules, [
            {
                apiGroups: [""],
                resources: ["configmaps"],
                resourceNames: ["etcd-status"],
                verbs: ["create", "get", "patch"],
            },
        ]);
    });

    for (const [name, pod] of pods) {
        it(`mount what the ${name} names in its command and its plan`, () => {
            const [{ command, volumeMounts }] = pod.containers as [Container];
            const mounts = (volumeMounts as { name: string; mountPath: string; readOnly?: boolean }[]) ?? [];
            const { pki, etcdutl, snapshots } = etcdKeeperPlan(cluster);
            const files = [
                ...(command as string[]).filter((word) => word.startsWith("/")),
                pki,
                etcdutl,
                snapshots.directory,
            ];
            for (const file of files) {
                assert.ok(
                    mounts.some(({ mountPath }) => `${file}/`.startsWith(`${mountPath}/`)),
                    file,
                );
            }
            assert.deepEqual(
                mounts.map((mount) => mount.name).sort(),
                (pod.volumes as { name: string }[]).map((volume) => volume.name).sort(),
            );
            assert.deepEqual(
                mounts.filter(({ readOnly }) => !readOnly).map((mount) => mount.name),
                ["snapshots"],
            );
        });
    }
});

describe("The keeper of a cluster with a store for snapshots", () => {
    const s3 = { endpoint: "https://s3.example.com", bucket: "backups" };
    const secrets = { accessKeyId: "id", secretAccessKey: "hush", encryptionKeys: ["key", "former"] };
    const withStore = (isEncrypted: boolean) => fixedCluster({ etcdSnapshots: { s3: { ...s3, isEncrypted } } });
    const filesOf = (isEncrypted: boolean) =>
        Object.entries(etcdSnapshotSecret(withStore(isEncrypted), secrets).data as Record<string, string>).map(
            ([name, value]) => [name, Buffer.from(value, "base64").toString()],
        );

    it("has a Secret with what it needs and no more", () => {
        const credentials = [
            ["access-key-id", "id"],
            ["secret-access-key", "hush"],
        ];
        assert.deepEqual(filesOf(false), credentials);
        assert.deepEqual(filesOf(true), [...credentials, ["encryption-key", "key"]]);
    });

    it("has only the encryption key, and signs with the role, with an instance's role", () => {
        const byRole = (isEncrypted: boolean) =>
            fixedCluster({ etcdSnapshots: { s3: { ...s3, isEncrypted, instanceRole: true } } });
        const { data } = etcdSnapshotSecret(byRole(true), { encryptionKeys: ["key"] });
        assert.deepEqual(Object.keys(data as object), ["encryption-key"]);
        const plan = etcdKeeperPlan(byRole(true));
        assert.deepEqual(planProblems(plan, planSchema), []);
        assert.deepEqual([plan.snapshots.s3!.instanceRole, typeof plan.snapshots.s3!.secrets], [true, "string"]);
        assert.ok(!("secrets" in etcdKeeperPlan(byRole(false)).snapshots.s3!));
    });

    it("mounts the Secret where its plan expects it", () => {
        const [deployment] = etcdKeeper(withStore(true), "text").filter(({ kind }) => kind === "Deployment");
        const { containers, volumes } = podOf(deployment!.spec);
        const [{ volumeMounts }] = containers as [Container];
        const plan = etcdKeeperPlan(withStore(true));
        assert.deepEqual(planProblems(plan, planSchema), []);
        const mount = (volumeMounts as { name: string; mountPath: string }[]).find(
            ({ mountPath }) => mountPath === plan.snapshots.s3!.secrets,
        )!;
        const volume = (volumes as { name: string; secret?: { secretName: string } }[]).find(
            ({ name }) => name === mount.name,
        )!;
        assert.equal(volume.secret!.secretName, etcdSnapshotSecret(withStore(true)).metadata.name);
    });

    it("holds no secret elsewhere", () => {
        assert.doesNotMatch(JSON.stringify(etcdKeeper(withStore(true), "text")), /hush/);
    });
});

describe("The Job of a snapshot now", () => {
    const template = ofKind("CronJob");

    it("is the CronJob's, which has it removed when there are newer ones", () => {
        const cronJob = { ...template, metadata: { ...template.metadata, uid: "u" } } as Manifest;
        const job = etcdSnapshotJob(cronJob, "now");
        const { ownerReferences } = job.metadata as { ownerReferences?: object[] };
        const owner = { apiVersion: "batch/v1", kind: "CronJob", name: "etcd-snapshot", uid: "u", controller: true };
        assert.deepEqual(ownerReferences, [owner]);
        assert.deepEqual(podOf(job.spec), pods[1]![1]);
    });

    it("can run on a given controller", () => {
        const { nodeSelector } = podOf(etcdSnapshotJob(template, "now", "c-controller-1").spec);
        assert.deepEqual(nodeSelector, { "kubernetes.io/hostname": "c-controller-1" });
    });
});
