import assert from "node:assert/strict";
import { bootstrapManifests, firstStart } from "../../../../cluster/machines/bootstrap/assets";
import { fieldManager, type Manifest, manifestKey, owned } from "../../../../cluster/manifest";
import { awsCloudController, awsCsiDriver } from "../../../../cluster/manifests/addons/aws";
import { autoscalerFlags, clusterAutoscaler } from "../../../../cluster/manifests/addons/cluster-autoscaler";
import {
    digitalOceanCloudController,
    digitalOceanCloudControllerSecret,
    digitalOceanCsiDriver,
    digitalOceanCsiDriverSecret,
} from "../../../../cluster/manifests/addons/digitalocean";
import { logCollector } from "../../../../cluster/manifests/addons/log-collector";
import { metricsServer } from "../../../../cluster/manifests/addons/metrics-server";
import { prometheus } from "../../../../cluster/manifests/addons/prometheus";
import { secretsRewrite } from "../../../../cluster/manifests/control-plane/secrets-rewrite";
import { upgradeGuard } from "../../../../cluster/manifests/control-plane/upgrade-guard";
import { selfHostedEtcd } from "../../../../cluster/manifests/etcd/etcd";
import {
    etcdCertificateConfig,
    etcdCertificateJob,
    etcdCertificatesProgram,
} from "../../../../cluster/manifests/etcd/etcd-certificates";
import {
    etcdJoinDeployment,
    etcdJoinOfCandidate,
    etcdJoinProgram,
    etcdMemberSecret,
} from "../../../../cluster/manifests/etcd/etcd-join";
import { etcdKeeper, etcdSnapshotJob, etcdSnapshotSecret } from "../../../../cluster/manifests/etcd/etcd-keeper";
import { etcdUpdateConfig, etcdUpdateJob, etcdUpdatePlan } from "../../../../cluster/manifests/etcd/etcd-update";
import { etcdStaticPod } from "../../../../cluster/manifests/etcd/member";
import { metricsProxy } from "../../../../cluster/manifests/metrics-proxy";
import { controllersRecord } from "../../../../cluster/manifests/nodes/controllers-record";
import { nodeCleaner } from "../../../../cluster/manifests/nodes/node-cleaner";
import { nodeDemotion } from "../../../../cluster/manifests/nodes/node-demotion";
import {
    nodePromoter,
    nodePromoterAccount,
    nodePromoterConfig,
    nodePromoterPlan,
} from "../../../../cluster/manifests/nodes/node-promoter";
import { nodeRemovalJob } from "../../../../cluster/manifests/nodes/node-removal";
import { nodeRepairer, nodeRepairerSecret, repairsRecord } from "../../../../cluster/manifests/nodes/node-repairer";
import { rebootApprover } from "../../../../cluster/manifests/nodes/reboot-approver";
import { servingApprover, servingMachines } from "../../../../cluster/manifests/nodes/serving-approver";
import { staticPodPolicy } from "../../../../cluster/manifests/nodes/static-pod-policy";
import type { Container } from "../../../../cluster/manifests/pod";
import type { Cluster } from "../../../../cluster/model";
import { resolveRepair } from "../../../../cluster/repair";
import { forSdk } from "../../../../components/in-cluster/kubernetes-object";
import { fakeCredentials, firstController, fixedCluster, podSpecOf, withCandidates } from "./fixture";
import { shapeProblems } from "./kubernetes-shape";

const cluster = fixedCluster({ controllers: { count: 3 }, workerPools: [{ name: "a" }] });
const candidates = withCandidates();
const assetsOf = (of: Cluster) => ({
    machine: firstController(of),
    secrets: fakeCredentials(of),
    checkpointer: "program",
    nodeApprover: "text",
});
const selfHosted = bootstrapManifests(cluster, assetsOf(cluster)).map(({ manifest }) => manifest);
const program = etcdJoinProgram("text");
const keeper = etcdKeeper(cluster, "text");
const etcdUpdate = { id: "etcd-update-x", start: firstStart(firstController(cluster)), members: [] };
const reboots = { windows: [{ days: [0], start: 120, minutes: 180 }] };
const droplets = {
    name: "digitalocean",
    hasToken: true,
    cloud: { api: "https://api.digitalocean.com", tag: "c" },
} as const;
const all = [
    ...selfHosted,
    etcdStaticPod(cluster, { machine: firstController(cluster), initialCluster: "", initialClusterState: "new" }),
    ...selfHostedEtcd(cluster, "text"),
    ...keeper,
    ...metricsProxy(cluster, { metricsProxy: { cert: "text", key: "text" } }, "text"),
    ...metricsServer(cluster, { kubernetesCa: { cert: "text" }, metricsServer: { cert: "text", key: "text" } }),
    ...logCollector(fixedCluster({ logs: { protocol: "otlp", url: "https://loki.example/otlp" } })),
    ...prometheus(fixedCluster({ prometheus: { storageClass: "local" } })),
    etcdSnapshotSecret(cluster, { accessKeyId: "id", secretAccessKey: "key" }),
    etcdSnapshotJob(keeper.find(({ kind }) => kind === "CronJob")!, "etcd-snapshot-now"),
    program,
    etcdJoinDeployment(cluster, cluster.controllers.names[1]!, program),
    ...nodeCleaner(cluster, { namePattern: "^i-.*$", region: "eu-central-1" }, "text"),
    ...rebootApprover(cluster, reboots, "text"),
    ...nodeRepairer(cluster, { repair: resolveRepair({}), by: droplets }, "text"),
    repairsRecord({ by: droplets }),
    nodeRepairerSecret("text"),
    ...upgradeGuard(cluster, "text"),
    etcdMemberSecret(cluster.controllers.names[1]!, { file: "text" }),
    etcdCertificatesProgram("text"),
    etcdCertificateConfig(cluster.controllers.names[1]!, { file: "text" }),
    etcdUpdateJob(cluster, cluster.controllers.names[1]!, "etcd-update-x"),
    etcdUpdateConfig(etcdUpdatePlan(cluster, etcdUpdate), "text"),
    etcdCertificateJob(cluster, cluster.controllers.names[1]!, etcdCertificatesProgram("text")),
    etcdJoinOfCandidate(candidates, "c-default-0", program),
    controllersRecord(),
    nodePromoterConfig(nodePromoterPlan(candidates, []), "text"),
    ...nodePromoterAccount(candidates),
    nodePromoter(candidates, "text"),
    ...nodeDemotion(candidates, "text"),
    // The first one is the same as without candidates.
    ...staticPodPolicy(candidates).slice(2),
    ...secretsRewrite(cluster, "text"),
    ...servingApprover(cluster, "text"),
    servingMachines({ a: ["10.0.0.1"] }),
    ...awsCloudController(cluster, { region: "eu-central-1" }),
    ...awsCsiDriver(cluster, { region: "eu-central-1", volumeSnapshots: true }),
    ...clusterAutoscaler(cluster, {
        region: "eu-central-1",
        autoscalerFlags: autoscalerFlags({}, "clusterAutoscaler"),
    }),
    digitalOceanCloudControllerSecret({ token: "text", vpcId: "text" }),
    ...digitalOceanCsiDriver(cluster),
    digitalOceanCsiDriverSecret("text"),
];

/** They have the names of those on AWS. */
const onDigitalOcean = digitalOceanCloudController(cluster);

describe("every manifest", () => {
    it("has only fields that Kubernetes defines, with their types", function () {
        this.timeout(120_000);
        // The SDK has no types of kinds that others define.
        const typed = [...all, ...onDigitalOcean].filter(({ kind }) => kind !== "VolumeSnapshotClass");
        assert.deepEqual(shapeProblems(typed.map(forSdk)), []);
        const [misspelt] = [{ ...program, imutable: true }];
        assert.match(shapeProblems([misspelt!]).join(), /^ConfigMap etcd-join-\w+: .*imutable.* does not exist/);
    });

    it("carries the field manager under which Pulumi adopts it", () => {
        for (const manifest of selfHosted.map(owned)) {
            const { annotations, labels } = manifest.metadata;
            assert.equal(annotations?.["pulumi.com/patchFieldManager"], fieldManager, manifestKey(manifest));
            assert.equal(labels?.["app.kubernetes.io/managed-by"], "tradewind", manifestKey(manifest));
        }
    });

    it("is another object than every other", () => {
        const keys = all.map(manifestKey);
        assert.deepEqual(
            keys.filter((key, index) => keys.indexOf(key) !== index),
            [],
        );
    });

    it("with pods has a seccomp profile and resource requests", () => {
        for (const manifest of all) {
            const spec = podSpecOf(manifest);
            if (!spec) continue;
            const { seccompProfile } = spec.securityContext as { seccompProfile?: object };
            assert.deepEqual(seccompProfile, { type: "RuntimeDefault" }, manifestKey(manifest));
            for (const { name, resources } of spec.containers as Container[]) {
                const { requests = {} } = (resources ?? {}) as { requests?: object };
                assert.deepEqual(Object.keys(requests), ["cpu", "memory"], `${manifestKey(manifest)}: ${name}`);
            }
        }
    });

    it("that runs pods leaves the last lines of what failed where they are found", () => {
        for (const manifest of all) {
            const { initContainers = [], containers = [] } = podSpecOf(manifest) ?? {};
            for (const { name, terminationMessagePolicy } of [
                ...(initContainers as Container[]),
                ...(containers as Container[]),
            ]) {
                assert.equal(terminationMessagePolicy, "FallbackToLogsOnError", `${manifestKey(manifest)}: ${name}`);
            }
        }
    });

    it("with pods tolerates uninitialized nodes if it must, on clouds only", () => {
        const taint = "node.cloudprovider.kubernetes.io/uninitialized";
        const tolerates = (manifest: Manifest) => {
            const { tolerations = [] } = podSpecOf(manifest)!;
            const keys = (tolerations as { key?: string }[]).map(({ key }) => key);
            return keys.includes(undefined) || keys.includes(taint);
        };
        const running = (of: Cluster) =>
            [
                ...bootstrapManifests(of, assetsOf(of)).map(({ manifest }) => manifest),
                ...etcdKeeper(of, "text"),
                ...nodeCleaner(of, { namePattern: "^i-.*$", region: "eu-central-1" }, "text"),
                ...rebootApprover(of, reboots, "text"),
                ...upgradeGuard(of, "text"),
                nodeRemovalJob(of),
            ].filter(podSpecOf);
        const onCloud = running({ ...cluster, cloudProvider: "aws" });
        assert.deepEqual(onCloud.filter((each) => !tolerates(each)).map(manifestKey), []);
        assert.ok(onCloud.length > 8);
        assert.doesNotMatch(JSON.stringify(running(cluster)), new RegExp(taint));
    });

    it("with a pod selector selects its own template", () => {
        for (const { kind, metadata, spec } of all.filter(({ kind }) => /DaemonSet|Deployment/.test(kind))) {
            const { selector, template } = spec as {
                selector: { matchLabels: object };
                template: { metadata: { labels: object } };
            };
            assert.deepEqual(selector.matchLabels, template.metadata.labels, `${kind} ${metadata.name}`);
        }
    });

    it("mounts the volumes that it has, and has those that it mounts", () => {
        for (const manifest of all) {
            const spec = podSpecOf(manifest);
            if (!spec) continue;
            const containers = [...((spec.initContainers as Container[]) ?? []), ...(spec.containers as Container[])];
            const mounted = containers.flatMap(({ volumeMounts }) =>
                ((volumeMounts as { name: string }[] | undefined) ?? []).map(({ name }) => name),
            );
            const volumes = ((spec.volumes as { name: string }[]) ?? []).map(({ name }) => name);
            assert.deepEqual([...new Set(mounted)].sort(), volumes.sort(), manifestKey(manifest));
        }
    });
});
