import assert from "node:assert/strict";
import { clientUrl, etcdMember, etcdStaticPod, peerUrl } from "../../../../../cluster/manifests/etcd/member";
import { diffable } from "../../../../../ignition";
import { firstController, fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden, goldenChange } from "../../../golden";

const cluster = fixedCluster();
const machine = firstController(cluster);
const start = { machine, initialCluster: `${machine.name}=${peerUrl(machine)}`, initialClusterState: "new" as const };
const command = (from = cluster) =>
    (podSpecOf(etcdStaticPod(from, start))!.containers as { command: string[] }[])[0]!.command;

describe("an etcd member", () => {
    it("is a static pod as reviewed", () => golden(__dirname, "etcd-static-pod", etcdStaticPod(cluster, start)));

    it("is one that yields to an API pod, if enabled, as reviewed", () => {
        const standby = etcdStaticPod(fixedCluster({ selfHosted: { etcd: true } }), start);
        goldenChange(__dirname, "etcd-standby", etcdStaticPod(cluster, start), standby);
    });

    it("has its keys to itself", () => {
        const certificate = { cert: "CERT", key: "KEY" };
        const texts = diffable(etcdMember(cluster, { ...start, ca: "CA", certificate }));
        assert.equal(texts["/etc/kubernetes/pki/etcd/member.key"], "mode 0600\nKEY");
        assert.equal(texts["/etc/kubernetes/pki/etcd/"], "mode 0700\n");
        assert.equal(texts["/var/lib/etcd/"], "mode 0700\n");
    });

    it("refuses connections without a certificate from its own CA", () => {
        for (const flag of ["--client-cert-auth=true", "--peer-client-cert-auth=true"]) {
            assert.ok(command().includes(flag), flag);
        }
        assert.doesNotMatch(command().join(" "), /http:\/\/(?!127\.0\.0\.1:2381)/);
    });

    it("is reached at its machine's address", () => {
        assert.equal(clientUrl(machine), "https://10.0.0.11:2379");
        assert.equal(peerUrl(machine), "https://10.0.0.11:2380");
    });

    it("is overridden by extra arguments, with feature gates appended", () => {
        const extra = fixedCluster({
            components: { etcd: { "quota-backend-bytes": "1", "feature-gates": "StopGRPCServiceOnDefrag=true" } },
        });
        const flags = command(extra).filter((flag) => /^--(feature|quota)/.test(flag));
        const gates = "--feature-gates=InitialCorruptCheck=true,StopGRPCServiceOnDefrag=true";
        assert.deepEqual(flags, [gates, "--quota-backend-bytes=1"]);
    });
});
