import assert from "node:assert/strict";
import { bundleAgent } from "../../../../agents/bundle";
import { planProblems } from "../../../../agents/etcd-keeper/read-plan";
import type { Manifest } from "../../../../components/cluster/manifest";
import { etcdKeeper, etcdKeeperPlan } from "../../../../components/control-plane/etcd-keeper";
import type { Container, PodSpec } from "../../../../components/control-plane/pod";
import { golden } from "../../golden";
import { fixedCluster } from "../fixture";

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

    it("have a plan that the agent accepts", () => assert.deepEqual(planProblems(etcdKeeperPlan(cluster)), []));

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

    it("let it write nothing but its own status", () => {
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
