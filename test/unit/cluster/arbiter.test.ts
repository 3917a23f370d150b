import assert from "node:assert/strict";
import { planSchema as certificatesPlan } from "../../../agents/etcd/certificates/plan";
import { planProblems } from "../../../agents/harness/plan";
import { kubeletConfiguration } from "../../../cluster/kubelet-settings";
import { workerConfig } from "../../../cluster/machines/worker";
import { etcdCertificatesPlan } from "../../../cluster/manifests/etcd/etcd-certificates";
import { nodeAgentPlan } from "../../../cluster/manifests/nodes/node-agent";
import { nodeRemovalJob } from "../../../cluster/manifests/nodes/node-removal";
import { staticPodPolicy } from "../../../cluster/manifests/nodes/static-pod-policy";
import { nodesByPool, possibleControllers, possibleMembers } from "../../../cluster/model";
import type { ClusterOptions } from "../../../cluster/options";
import { resolveCluster } from "../../../cluster/resolve";
import { resolveAws } from "../../../components/aws/resolve";
import { resolveDigitalOcean } from "../../../components/digitalocean/resolve";
import { diffable } from "../../../ignition";
import { downloads, fixedCluster } from "../components/in-cluster/fixture";

const controllers = { count: 2, arbiter: true };
const workerPools = [{ name: "default" }];
const reboots = { osReboots: { windows: ["Sun 02:00-05:00"] } };
const cluster = fixedCluster({ controllers, workerPools, ...reboots });
const arbiter = cluster.controllers.arbiter!;

describe("an arbiter", () => {
    it("is a third member of etcd and no controller", () => {
        assert.deepEqual(possibleControllers(cluster), ["c-controller-0", "c-controller-1"]);
        assert.deepEqual(possibleMembers(cluster), ["c-controller-0", "c-controller-1", "c-arbiter-0"]);
        assert.deepEqual(Object.keys(nodesByPool(cluster)), ["controller", "arbiter", "default"]);
        assert.deepEqual(
            cluster.workerPools.map(({ name }) => name),
            ["default"],
        );
    });

    const refused: Record<string, [Partial<ClusterOptions>, string]> = {
        "two controllers without one": [
            { controllers: { count: 2 } },
            "controllers.count must be 1, 3 or 5, or 2 with controllers.arbiter (got 2)",
        ],
        "one controller with one": [
            { controllers: { arbiter: true } },
            "controllers.count must be 2 with controllers.arbiter (got 1)",
        ],
        "three controllers with one": [
            { controllers: { count: 3, arbiter: true } },
            "controllers.count must be 2 with controllers.arbiter (got 3)",
        ],
        "candidates with one": [
            { controllers: { ...controllers, candidates: ["default"] }, workerPools },
            "controllers.arbiter conflicts with controllers.candidates",
        ],
        "members of etcd that run as pods": [
            { controllers, selfHosted: { etcd: true } },
            "controllers.arbiter conflicts with selfHosted.etcd",
        ],
        "a pool with its name": [
            { controllers, workerPools: [{ name: "arbiter" }] },
            "workerPools[0].name must be unique and neither controller nor arbiter (got arbiter)",
        ],
    };
    for (const [what, [options, message]] of Object.entries(refused)) {
        it(`leaves no room for ${what}`, () => {
            assert.throws(() => resolveCluster({ name: "c", ...options }), { message });
        });
    }

    it("is refused on clouds", () => {
        const message = "controllers.arbiter requires a local cluster";
        const aws = { domain: "example.com", region: "eu-central-1", image: "ami-1", controllers };
        assert.throws(() => resolveAws("c", aws as never), { message });
        const digitalOcean = { domain: "example.com", region: "fra1", image: "ubuntu-26-04-x64", controllers };
        assert.throws(() => resolveDigitalOcean("c", digitalOcean), { message });
    });

    it("boots like a worker, but closes the ports of etcd to pods, and has room for its data", () => {
        const options = { machine: { name: "c", address: "10.0.0.1" }, downloads, ca: "ca", bootstrapToken: "token" };
        const [files, others] = [arbiter, cluster.workerPools[0]!].map((pool) =>
            diffable(workerConfig(cluster, pool, options)),
        );
        const isSettings = (name: string) => name.includes("/kubelet/settings/");
        const own = (all: object) => Object.keys(all).filter((name) => !isSettings(name));
        assert.deepEqual(own(files!), own(others!));
        const script = "/opt/tradewind/bin/preflight";
        assert.match(files![script]!, /etcd-peer/);
        assert.doesNotMatch(others![script]!, /etcd-peer/);
        assert.match(files!["/opt/tradewind/bin/node-routes"]!, /prohibit priority 5/);
    });

    it("keeps ordinary pods away by a taint", () => {
        const { registerWithTaints } = kubeletConfiguration(cluster, "arbiter") as { registerWithTaints: object[] };
        assert.deepEqual(registerWithTaints, [
            { key: "node-role.kubernetes.io/arbiter", value: "", effect: "NoSchedule" },
        ]);
    });

    it("may list its static pod, and runs no control plane or Jobs of one", () => {
        const policy = JSON.stringify(staticPodPolicy(cluster));
        assert.match(policy, /system:node:c-arbiter-0/);
        const without = JSON.stringify(staticPodPolicy(fixedCluster({ controllers: { count: 3 }, workerPools })));
        assert.doesNotMatch(without, /arbiter/);
        assert.doesNotMatch(JSON.stringify(nodeRemovalJob(cluster).spec), /"values":\[[^\]]*arbiter/);
    });

    it("moves etcd's leadership away before it reboots, as controllers do and workers do not", () => {
        const planOf = (pool: string) => nodeAgentPlan(cluster, { pool, downloads, maxUnavailable: 1 });
        assert.deepEqual(
            ["controller", "arbiter", "default"].map((pool) => planOf(pool).etcd !== undefined),
            [true, true, false],
        );
        assert.equal(planOf("arbiter").apiServers.length, 1);
    });

    it("replaces its certificate through the API's address, as it has no kube-apiserver", () => {
        const plan = etcdCertificatesPlan(cluster, "c-arbiter-0");
        assert.deepEqual(planProblems(plan, certificatesPlan), []);
        assert.equal(plan.api!.server, "https://api.c.tradewind.internal:6443");
        assert.equal(etcdCertificatesPlan(cluster, "c-controller-0").api!.server, "https://127.0.0.1:6443");
    });
});
