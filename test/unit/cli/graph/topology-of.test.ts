import assert from "node:assert/strict";
import { topologyOf } from "../../../../cli/graph/topology-of";
import { type ClusterFacts, type Fact, known, unknown } from "../../../../cli/status/facts";
import { judge } from "../../../../cli/status/judge";
import { controller, healthy, machine, node, pod, refuses, silent } from "../status/sample";
import { stack } from "./sample";

const of = (facts: ClusterFacts, own: Fact<ReturnType<typeof stack>> | undefined = known(stack())) =>
    topologyOf(facts, judge(facts), own);

describe("the topology of a cluster", () => {
    it("contains its network, load balancer, controllers and pools, all healthy", () => {
        const topology = of(healthy());
        assert.deepEqual(topology.verdict, { meaning: "good", words: "healthy" });
        assert.deepEqual(topology.versions, ["Kubernetes 1.36.3", "etcd 3.6.8"]);
        assert.deepEqual(topology.network.blocks, ["pods 10.2.0.0/16", "services 10.3.0.0/16"]);
        const api = { title: "API load balancer", address: "https://10.0.0.3:6443", meaning: "good", words: "ready" };
        assert.deepEqual(topology.api, api);
        const { title } = of(healthy(), known(stack({ apiLoadBalancer: false }))).api;
        assert.equal(title, "API by DNS name");
        const [first] = topology.controllers;
        assert.deepEqual([first!.name, first!.words, first!.apiserver.words], ["c-0", "Ready", "ready"]);
        assert.deepEqual(
            topology.pools.map(({ name, size, nodes }) => [name, size, nodes.map(({ name: each }) => each)]),
            [["default", "1 node", ["w-0"]]],
        );
    });

    it("works without a stack, using node labels", () => {
        const nodes = known([node("c-0"), node("w-0", { pool: "blue" }), node("w-1")]);
        const { pools, network, cloud } = topologyOf(healthy({ nodes }), judge(healthy()));
        assert.deepEqual(
            pools.map(({ name }) => name),
            ["blue", "workers"],
        );
        assert.deepEqual([network.block, cloud], [undefined, undefined]);
    });

    it("distinguishes nodes that are not ready, cordoned nodes, and machines without a node", () => {
        const own = known(stack({ pools: [{ name: "default", nodes: ["w-0", "w-1", "w-2"] }] }));
        const nodes = known([node("c-0"), node("w-0", { isReady: false }), node("w-1", { isCordoned: true })]);
        const [pool] = of(healthy({ nodes }), own).pools;
        assert.deepEqual(
            pool!.nodes.map(({ meaning, words }) => [meaning, words]),
            [
                ["bad", "not Ready"],
                ["warning", "Ready, cordoned"],
                ["bad", "no node"],
            ],
        );
    });

    it("shows an apiserver that refuses connections, and one that serves but could not be queried", () => {
        const controllers = [controller("c-0", { apiserver: refuses }), controller("c-1", { apiserver: unknown("x") })];
        const [first, second] = of(healthy({ controllers }, 2)).controllers;
        assert.deepEqual(first!.apiserver, { meaning: "bad", words: "refuses connections" });
        assert.deepEqual(second!.apiserver, { meaning: "good", words: "ready" });
    });

    it("shows what the machines report while the API is down, and nothing else", () => {
        const facts = silent({
            machines: known([machine("c-0"), machine("w-0", { state: "exited", inside: unknown("it is exited") })]),
            pods: known([pod("kube-apiserver", "c-0", { origin: "checkpoint", state: "running", version: undefined })]),
        });
        const { controllers, pools, api, verdict } = of(facts);
        assert.equal(verdict.meaning, "bad");
        assert.equal(api.meaning, "unknown");
        assert.deepEqual(
            controllers[0]!.parts.map(({ component, words, origin }) => [component, words, origin]),
            [
                ["kube-apiserver", "running", "checkpoint"],
                ["kube-controller-manager", "not running", undefined],
                ["kube-scheduler", "not running", undefined],
                ["etcd", "not running", undefined],
            ],
        );
        assert.deepEqual(pools[0]!.nodes[0], {
            name: "w-0",
            where: ["10.0.0.30"],
            meaning: "bad",
            words: "machine exited",
        });
    });

    it("shows which machines joined by a token", () => {
        const nodes = known([node("c-0"), node("w-0"), node("rack-1", { isJoined: true })]);
        const where = of(healthy({ nodes })).pools.flatMap((pool) => pool.nodes.map((each) => each.where.at(-1)));
        assert.deepEqual(
            where.map((each) => each === "by token"),
            [false, true],
        );
    });

    it("shows why a kubelet does not answer", () => {
        const kubelet = known({ isReady: false, detail: "no answer within 2 s" });
        const { controllers } = of(silent({ controllers: [controller("c-0", { kubelet })] }));
        assert.deepEqual([controllers[0]!.meaning, controllers[0]!.words], ["bad", "kubelet: no answer within 2 s"]);
    });

    it("shows the contents of the state if nothing answers", () => {
        const own = stack({ cloud: "aws", pools: [{ name: "blue", nodes: [], count: { min: 1, max: 3 } }] });
        const { controllers, pools, versions } = of(silent({ controllers: [] }), known(own));
        assert.deepEqual(
            controllers[0]!.parts.map(({ words }) => words),
            Array(4).fill("unknown"),
        );
        assert.equal(pools[0]!.size, "nodes only known to the API, Auto Scaling group of 1 to 3");
        assert.equal(versions[0], "Kubernetes 1.36.3 (according to the stack)");
    });

    it("says that the stack is unknown, and why", () => {
        const { findings, controllers } = of(healthy(), unknown("pulumi stack export failed"));
        assert.match(findings[0]!.words, /unknown: pulumi stack export failed/);
        assert.equal(controllers.length, 1);
    });

    it("shows the first findings, and counts the others", () => {
        const nodes = known([
            node("c-0"),
            ...Array.from({ length: 9 }, (_, index) => node(`w-${index}`, { isReady: false })),
        ]);
        const { findings } = of(healthy({ nodes }));
        assert.equal(findings.length, 7);
        assert.equal(findings.at(-1)!.words, "And 3 more; run tradewind status to see them all.");
    });
});
