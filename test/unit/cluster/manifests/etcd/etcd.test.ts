import assert from "node:assert/strict";
import { firstStart } from "../../../../../cluster/machines/bootstrap/assets";
import { selfHostedEtcd } from "../../../../../cluster/manifests/etcd/etcd";
import { etcdStaticPod } from "../../../../../cluster/manifests/etcd/member";
import { firstController, fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster({ selfHosted: { etcd: true } });
const manifests = selfHostedEtcd(cluster, "program");
const [, daemonSet] = manifests;

describe("etcd's own pods", () => {
    it("are as reviewed", () => golden(__dirname, "etcd", manifests));

    it("are replaced one after another, when the one before serves", () => {
        const { updateStrategy, minReadySeconds } = daemonSet!.spec as Record<string, unknown>;
        assert.deepEqual(updateStrategy, {
            type: "RollingUpdate",
            rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
        });
        assert.equal(minReadySeconds, 5);
    });

    it("have what the machine's own has, so that one may follow the other", () => {
        const own = podSpecOf(etcdStaticPod(cluster, firstStart(firstController(cluster))))!;
        const pod = podSpecOf(daemonSet!)!;
        const mounts = (spec: typeof own) => (spec.containers as { volumeMounts: object[] }[])[0]!.volumeMounts;
        assert.deepEqual(mounts(pod).slice(0, 4), mounts(own));
        assert.deepEqual((pod.volumes as object[]).slice(0, 4), own.volumes);
    });

    it("change for another version of etcd, and not for other flags, which the machine's own has", () => {
        const of = (options: object) =>
            selfHostedEtcd(fixedCluster({ selfHosted: { etcd: true }, ...options }), "program");
        assert.deepEqual(of({ components: { etcd: { "log-level": "debug" } } }), manifests);
    });
});
