import assert from "node:assert/strict";
import { bootstrapManifests } from "../../../cluster/machines/bootstrap/assets";
import { containerd } from "../../../cluster/machines/container-runtime/containerd";
import { etcdStaticPod } from "../../../cluster/manifests/etcd/member";
import { forSelinux } from "../../../cluster/selinux";
import { diffable } from "../../../ignition";
import { fakeCredentials, firstController, fixedCluster, podSpecOf } from "../components/in-cluster/fixture";

describe("SELinux", () => {
    const configOf = (selinux?: boolean) =>
        diffable(containerd(fixedCluster({ selinux }), {}))["/etc/containerd/config.toml"]!;

    it("is only enabled in containerd by the option", () => {
        assert.match(configOf(true), /^\[plugins\.'io\.containerd\.cri\.v1\.runtime'\]\n {2}enable_selinux = true$/m);
        assert.doesNotMatch(configOf(), /selinux/);
        assert.equal(configOf(false), configOf());
    });

    it("gives exactly the pods with directories of their host a type that may use them", () => {
        const cluster = fixedCluster({ selinux: true });
        const secrets = fakeCredentials(cluster);
        const options = { machine: firstController(cluster), secrets, checkpointer: "", nodeApprover: "" };
        const pods = bootstrapManifests(cluster, options).map(({ manifest }) => forSelinux(cluster, manifest));
        const types = pods.flatMap((manifest) => {
            const spec = podSpecOf(manifest);
            if (!spec) return [];
            const uses = (spec.volumes as { hostPath?: object }[] | undefined)?.some(({ hostPath }) => hostPath);
            const { seLinuxOptions } = (spec.securityContext ?? {}) as { seLinuxOptions?: { type: string } };
            return [[manifest.metadata.name, uses ?? false, seLinuxOptions?.type]];
        });
        for (const [name, uses, type] of types) assert.equal(type, uses ? "spc_t" : undefined, String(name));
        assert.ok(types.some(([, uses]) => uses) && types.some(([, uses]) => !uses));
    });

    it("reaches the pods of CronJobs and etcd's static pod, and changes nothing without the option", () => {
        const volumes = [{ name: "a", hostPath: { path: "/a" } }];
        const spec = { template: { spec: { containers: [], volumes } } };
        const cronJob = {
            apiVersion: "batch/v1",
            kind: "CronJob",
            metadata: { name: "a" },
            spec: { jobTemplate: { spec } },
        };
        assert.match(JSON.stringify(forSelinux({ selinux: true }, cronJob)), /"seLinuxOptions":\{"type":"spc_t"\}/);
        assert.equal(forSelinux({}, cronJob), cronJob);
        const cluster = fixedCluster({ selinux: true });
        const member = { machine: firstController(cluster), initialCluster: "", initialClusterState: "new" as const };
        assert.match(JSON.stringify(etcdStaticPod(cluster, member as never)), /spc_t/);
        assert.doesNotMatch(JSON.stringify(etcdStaticPod(fixedCluster(), member as never)), /spc_t/);
    });
});
