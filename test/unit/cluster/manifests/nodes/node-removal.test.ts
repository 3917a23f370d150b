import assert from "node:assert/strict";
import { bundleAgent } from "../../../../../bundling/agents";
import {
    nodeRemovalAccount,
    nodeRemovalConfig,
    nodeRemovalJob,
    nodeRemovalPlan,
} from "../../../../../cluster/manifests/nodes/node-removal";
import type { PodSpec } from "../../../../../cluster/manifests/pod";
import { underPressure } from "../../../../../cluster/manifests/pod";
import { resolveCluster } from "../../../../../cluster/resolve";

const options = (controllers: number, workers: number) =>
    resolveCluster({
        name: "c",
        controllers: { count: controllers },
        workerPools: workers > 0 ? [{ name: "blue", count: workers }] : [],
    });
const cluster = options(3, 2);
const machines = cluster.controllers.names.map((name, index) => ({ name, address: `10.0.0.${11 + index}` }));
const plan = nodeRemovalPlan(cluster, machines);
const { template } = nodeRemovalJob(cluster).spec as { template: { metadata: object; spec: PodSpec } };

describe("the plan of a removal", () => {
    it("lists every desired node", () => {
        assert.deepEqual(plan.desired, ["c-controller-0", "c-controller-1", "c-controller-2", "c-blue-0", "c-blue-1"]);
    });

    it("uses the remaining controllers", () => {
        assert.deepEqual(
            plan.etcd.endpoints,
            ["10.0.0.11", "10.0.0.12", "10.0.0.13"].map((ip) => `https://${ip}:2379`),
        );
    });
});

describe("the plan of a removal where a cloud names nodes", () => {
    it("lists those that the stack names: the former candidates of a pool that is a group now leave", () => {
        const groups = { namePattern: "^i-", desired: ["blue"] };
        assert.deepEqual(nodeRemovalPlan(cluster, machines, groups).desired, cluster.controllers.names);
    });
});

describe("the Job of a removal", () => {
    it("is another one for another list of nodes, and the same for the same", () => {
        const templates = [options(3, 2), options(3, 1), options(1, 2), options(3, 0)].map(
            (each) => (nodeRemovalJob(each).spec as { template: object }).template,
        );
        assert.equal(new Set(templates.map((each) => JSON.stringify(each))).size, 4);
        assert.deepEqual(templates[0], template);
    });

    it("shows the list in preview", () => {
        assert.deepEqual(template.metadata, {
            labels: { "k8s-app": "node-removal" },
            annotations: {
                "tradewind.dev/desired-nodes": "c-controller-0 c-controller-1 c-controller-2 c-blue-0 c-blue-1",
            },
        });
    });

    it("is another one for other pools whose nodes a cloud names, which it shows too", () => {
        const groups = { namePattern: "^i-", desired: ["a", "b"] };
        assert.match(JSON.stringify(nodeRemovalJob(options(1, 0), groups)), /"tradewind.dev\/desired-pools":"a b"/);
        assert.deepEqual(nodeRemovalPlan(options(1, 0), [], groups).groups, groups);
    });

    it("runs on an existing controller that is not removed", () => {
        const { nodeSelector, affinity, tolerations } = template.spec;
        assert.deepEqual(nodeSelector, { "node-role.kubernetes.io/control-plane": "" });
        assert.match(JSON.stringify(affinity), /"values":\["c-controller-0","c-controller-1","c-controller-2"\]/);
        assert.deepEqual(tolerations, [
            { key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" },
            ...underPressure,
        ]);
    });

    it("mounts what its command and its plan name", () => {
        const [container] = template.spec.containers as unknown as [
            { command: string[]; volumeMounts: { mountPath: string }[] },
        ];
        const { data } = nodeRemovalConfig(plan, "text");
        const [program, pki] = container.volumeMounts.map(({ mountPath }) => mountPath);
        assert.deepEqual(
            container.command.slice(1),
            Object.keys(data as object).map((name) => `${program}/${name}`),
        );
        assert.equal(pki, plan.etcd.pki);
    });

    it("has room for the agent", () => assert.ok(bundleAgent("node-removal").length < 2 ** 20));
});

describe("the account of a removal", () => {
    it("may do what a drain and the end of a node need, and read no Secret", () => {
        const { rules } = nodeRemovalAccount().find(({ kind }) => kind === "ClusterRole")! as unknown as {
            rules: { resources: string[]; verbs: string[] }[];
        };
        assert.deepEqual(
            rules.map(({ resources, verbs }) => [resources.join(), verbs.join()]),
            [
                ["nodes", "list,patch,delete"],
                ["pods", "list"],
                ["pods/eviction", "create"],
            ],
        );
    });
});
