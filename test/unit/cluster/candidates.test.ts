import assert from "node:assert/strict";
import { planSchema as certificatesPlan } from "../../../agents/etcd/certificates/plan";
import { planSchema as joinPlan } from "../../../agents/etcd/join/plan";
import { planProblems } from "../../../agents/harness/plan";
import { planSchema as demotionSchema } from "../../../agents/nodes/demotion/plan";
import { memberLabel, planSchema as promoterSchema } from "../../../agents/nodes/promoter/plan";
import { workerConfig } from "../../../cluster/machines/worker";
import { etcdCertificatesPlan } from "../../../cluster/manifests/etcd/etcd-certificates";
import {
    etcdJoinDeployment,
    etcdJoinOfCandidate,
    etcdJoinPlan,
    etcdJoinProgram,
} from "../../../cluster/manifests/etcd/etcd-join";
import { nodeApproverPlan } from "../../../cluster/manifests/nodes/node-approver";
import { demotionPlan, nodeDemotion } from "../../../cluster/manifests/nodes/node-demotion";
import { nodePromoter, nodePromoterAccount, nodePromoterPlan } from "../../../cluster/manifests/nodes/node-promoter";
import { nodeRemovalJob } from "../../../cluster/manifests/nodes/node-removal";
import { placementPolicy } from "../../../cluster/manifests/nodes/placement-policy";
import { staticPodPolicy } from "../../../cluster/manifests/nodes/static-pod-policy";
import { type Cluster, possibleControllers } from "../../../cluster/model";
import type { ClusterOptions } from "../../../cluster/options";
import { resolveCluster } from "../../../cluster/resolve";
import { diffable } from "../../../ignition";
import { downloads, podSpecOf, withCandidates } from "../components/in-cluster/fixture";
import { golden } from "../golden";

const cluster = withCandidates();
const [pool, otherPool] = cluster.workerPools;

function machinesOf(of: Cluster) {
    return possibleControllers(of).map((name, index) => ({ name, address: `10.0.0.${11 + index}` }));
}

function joinPlanOf(of: Cluster, node: string) {
    const machines = machinesOf(of);
    const own = machines.find(({ name }) => name === node)!;
    return etcdJoinPlan(
        of,
        own,
        machines.filter((each) => each !== own),
    );
}

describe("candidates for controllers", () => {
    it("are the nodes of the named pools", () => {
        assert.deepEqual(cluster.controllers.candidates, ["c-default-0", "c-default-1"]);
        assert.equal(cluster.controllers.replaceAfterSeconds, 60);
        const none = resolveCluster({ name: "c", workerPools: [{ name: "default" }] });
        assert.deepEqual(none.controllers.candidates, []);
    });

    const named = (controllers: ClusterOptions["controllers"], more: Partial<ClusterOptions> = {}) => ({
        controllers,
        workerPools: [{ name: "default" }, { name: "none", count: 0 }],
        ...more,
    });
    const refused: Record<string, [Partial<ClusterOptions>, RegExp]> = {
        "an unknown pool": [
            named({ candidates: ["big"] }),
            /^controllers\.candidates\[0\] must be the name of a worker pool \(got big\)$/,
        ],
        "a pool that is listed twice": [
            named({ candidates: ["default", "default"] }),
            /^controllers\.candidates\[\d\] must not be listed twice \(got default\)$/,
        ],
        "a pool without nodes": [
            named({ candidates: ["none"] }),
            /^controllers\.candidates\[0\] must not be a pool without nodes \(got none\)$/,
        ],
        "a time without candidates": [
            named({ replaceAfter: "2m" }),
            /^controllers\.replaceAfter requires controllers\.candidates \(got 2m\)$/,
        ],
        "a time that is too short": [
            named({ candidates: ["default"], replaceAfter: "9s" }),
            /^controllers\.replaceAfter must be a duration from 10s to 1d \(got 9s\)$/,
        ],
        "members of etcd that run as pods": [
            named({ candidates: ["default"] }, { selfHosted: { etcd: true } }),
            /^controllers\.candidates conflicts with selfHosted\.etcd$/,
        ],
        "an API without a load balancer": [
            named({ candidates: ["default"] }, { apiLoadBalancer: false }),
            /^controllers\.candidates requires apiLoadBalancer$/,
        ],
    };
    for (const [what, [options, message]] of Object.entries(refused)) {
        it(`cannot be ${what}`, () => {
            assert.throws(
                () => resolveCluster({ name: "c", ...options }),
                (error: Error) => message.test(error.message),
            );
        });
    }

    it("boot with what a controller's disk needs, and other workers do not", () => {
        const options = { machine: { name: "c", address: "10.0.0.1" }, downloads, ca: "ca", bootstrapToken: "token" };
        const [own, others] = [pool!, otherPool!].map((each) => workerConfig(cluster, each, options));
        const [files, othersFiles] = [own!, others!].map((each) => diffable(each));
        const differences = Object.keys(files!).filter((name) => files![name] !== othersFiles![name]);
        assert.deepEqual(differences.sort(), [
            "/etc/kubernetes/checkpoints/",
            "/opt/tradewind/bin/node-routes",
            // Memory and ports of a controller.
            "/opt/tradewind/bin/preflight",
            "/opt/tradewind/bin/start-checkpoints",
            "/opt/tradewind/bin/step-aside",
            "/var/log/kubernetes/audit/",
            "checkpoints.service",
            "keep-registered.service",
            "kubelet.service",
            "step-aside.service",
        ]);
        assert.match(files!["/opt/tradewind/bin/node-routes"]!, /prohibit priority 5/);
    });

    it("are members of etcd only while their Node has the label, and then know all that may be peers", () => {
        const spec = podSpecOf(etcdJoinOfCandidate(cluster, "c-default-0", etcdJoinProgram("text")))!;
        assert.deepEqual(spec.nodeSelector, { "kubernetes.io/hostname": "c-default-0", [memberLabel]: "joining" });
        const plan = joinPlanOf(cluster, "c-default-0");
        assert.deepEqual(planProblems(plan, joinPlan), []);
        assert.deepEqual(
            plan.endpoints,
            [11, 12, 13, 15].map((last) => `https://10.0.0.${last}:2379`),
        );
        assert.equal(plan.demotedFile, undefined);
    });

    it("are what a demoted controller becomes: it does not join by itself", () => {
        const plan = joinPlanOf(cluster, "c-controller-1");
        assert.equal(plan.demotedFile, "/etc/tradewind/controllers/demoted.c-controller-1");
        const spec = podSpecOf(etcdJoinDeployment(cluster, "c-controller-1", etcdJoinProgram("text")))!;
        assert.match(JSON.stringify(spec.volumes), /"configMap":\{"name":"controllers","optional":true\}/);
        assert.equal(nodeApproverPlan(cluster).record, "controllers");
    });

    it("let the only controller find itself, be it the stack's own or a promoted candidate", () => {
        const one = withCandidates({ controllers: { count: 1, candidates: ["default"] } });
        const endpoints = (node: string) => joinPlanOf(one, node).endpoints;
        assert.ok(endpoints("c-controller-0").includes("https://10.0.0.11:2379"));
        assert.equal(joinPlanOf(cluster, "c-controller-0").endpoints.includes("https://10.0.0.11:2379"), false);
        assert.equal(endpoints("c-default-0").at(-1), "https://10.0.0.12:2379");
    });

    it("may run the removal of nodes, and have no certificate to replace without a member", () => {
        assert.match(JSON.stringify(nodeRemovalJob(cluster)), /"values":\[[^\]]*"c-controller-2","c-default-0"/);
        const plan = etcdCertificatesPlan(cluster, "c-default-0");
        assert.deepEqual(planProblems(plan, certificatesPlan), []);
        assert.equal(plan.mayLackMember, true);
    });

    it("have agents with valid plans", () => {
        const plan = nodePromoterPlan(cluster, machinesOf(cluster));
        assert.deepEqual(planProblems(plan, promoterSchema), []);
        assert.deepEqual(planProblems(demotionPlan(), demotionSchema), []);
        assert.equal(plan.count, 3);
        assert.equal(plan.peerUrls["c-default-1"], "https://10.0.0.15:2380");
    });

    it("have the objects and policies as reviewed", () => {
        golden(__dirname, "candidates", [
            ...nodePromoterAccount(cluster),
            nodePromoter(cluster, "text"),
            ...nodeDemotion(cluster, "text"),
            ...staticPodPolicy(cluster),
            ...placementPolicy(cluster),
        ]);
    });
});
