import fc from "fast-check";
import type { StackFacts } from "../../../../cli/graph/stack-facts";
import type { ControllerView, NodeView, Stated, Topology } from "../../../../cli/graph/topology";

/** Facts from the stack of status' sample cluster. */
export function stack(change: Partial<StackFacts> = {}): StackFacts {
    return {
        cluster: "demo",
        cloud: "local",
        kubernetes: "1.36.3",
        etcd: "3.6.8",
        podCidrs: "10.2.0.0/16",
        serviceCidrs: "10.3.0.0/16",
        network: "10.0.0.0/24",
        subnets: [],
        apiLoadBalancer: true,
        machines: { "c-0": { address: "10.0.0.10" }, "w-0": { address: "10.0.0.30" } },
        controllers: ["c-0"],
        pools: [{ name: "default", nodes: ["w-0"] }],
        ...change,
    };
}

const words = fc.oneof(
    fc.string({ maxLength: 120 }),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom("Ready", "not Ready, machine exited", "unknown: no answer within 2 s", "W".repeat(80)),
);
const meaning = fc.constantFrom("good", "warning", "bad", "unknown");
const stated: fc.Arbitrary<Stated> = fc.record({ meaning, words });
const node: fc.Arbitrary<NodeView> = fc.record(
    { meaning, words, name: words, where: fc.array(words, { maxLength: 4 }), version: words },
    { requiredKeys: ["meaning", "words", "name", "where"] },
);
const origin = fc.constantFrom("api", "static", "checkpoint");
const part = fc.record(
    { meaning, words, component: words, origin },
    { requiredKeys: ["meaning", "words", "component"] },
);
const controller: fc.Arbitrary<ControllerView> = fc
    .tuple(node, stated, fc.array(part, { maxLength: 9 }))
    .map(([view, apiserver, parts]) => ({ ...view, apiserver, parts }));
const pool = fc.record({ name: words, size: words, nodes: fc.array(node, { maxLength: 40 }) });

/** Any topology, with arbitrary texts. */
export const topologies: fc.Arbitrary<Topology> = fc.record(
    {
        cluster: words,
        at: fc.constant("2026-11-21T06:00:00.000Z"),
        cloud: fc.constantFrom("local", "aws", "digitalocean"),
        versions: fc.array(words, { maxLength: 3 }),
        verdict: stated,
        network: fc.record(
            { block: words, blocks: fc.array(words, { maxLength: 2 }), subnets: fc.array(words, { maxLength: 6 }) },
            { requiredKeys: ["blocks", "subnets"] },
        ),
        api: fc
            .tuple(stated, fc.constantFrom("API load balancer", "API by DNS name"), words)
            .map(([state, title, address]) => ({ ...state, title, address })),
        controllers: fc.array(controller, { maxLength: 5 }),
        etcd: stated,
        pools: fc.array(pool, { maxLength: 4 }),
        findings: fc.array(stated, { maxLength: 8 }),
    },
    {
        requiredKeys: [
            "cluster",
            "at",
            "versions",
            "verdict",
            "network",
            "api",
            "controllers",
            "etcd",
            "pools",
            "findings",
        ],
    },
);
