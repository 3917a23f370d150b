import assert from "node:assert/strict";
import {
    decide,
    type Scene,
    type SeenNode,
    type SigningRequest,
    signerName,
} from "../../../../agents/node-approver/decide";
import { csr } from "./csr";

const group = "system:bootstrappers:tradewind-pool:a";
const other = "system:bootstrappers:tradewind-pool:b";
const namePattern = "^i-[0-9a-f]{17}(\\.eu-central-1\\.compute\\.internal)?$";
const plan = {
    apiServer: "https://127.0.0.1:6443",
    poolLabel: "node.kubernetes.io/pool",
    pools: { [group]: { pool: "a", namePattern, max: 2 }, [other]: { pool: "b", namePattern, max: 1 } },
};
const instance = (index: number) => `i-${String(index).padStart(17, "0")}.eu-central-1.compute.internal`;
const now = Date.parse("2030-01-01T01:00:00Z");

interface Asked {
    readonly node?: string;
    readonly text?: string;
    readonly groups?: string[];
    readonly usages?: string[];
    readonly signer?: string;
    readonly conditions?: string[];
    readonly created?: string;
}

function asked({
    node = instance(1),
    text = csr(`system:node:${node}`),
    groups = ["system:bootstrappers", group, "system:authenticated"],
    usages = ["digital signature", "client auth"],
    signer = signerName,
    conditions = [],
    created = "2030-01-01T00:59:00Z",
}: Asked = {}): SigningRequest {
    return {
        metadata: { name: `node-csr-${node}`, resourceVersion: "1", creationTimestamp: created },
        spec: { request: Buffer.from(text).toString("base64"), signerName: signer, groups, usages },
        status: { conditions: conditions.map((type) => ({ type })) },
    };
}

const node = (name: string, pool: string, isReady = true): SeenNode => ({
    metadata: { name, labels: { [plan.poolLabel]: pool } },
    status: { conditions: [{ type: "Ready", status: isReady ? "True" : "Unknown" }] },
});
const scene = (more: Partial<Scene> = {}): Scene => ({ plan, requests: [], nodes: [], now, ...more });
const whyNot = (request: SigningRequest, more: Partial<Scene> = {}) => {
    const decision = decide(request, scene(more));
    assert.ok(decision && !decision.isApproved, "it is approved, or none of the agent's");
    return decision.why;
};

describe("a machine that asks to become a node by a token that does not end", () => {
    it("may, under a name that its pool's machines have", () => {
        assert.deepEqual(decide(asked(), scene()), { isApproved: true, pool: "a", node: instance(1) });
        const short = instance(1).split(".")[0]!;
        assert.deepEqual(decide(asked({ node: short }), scene()), { isApproved: true, pool: "a", node: short });
    });

    it("is none of the agent's with another token, for another signer, or answered already", () => {
        for (const each of [
            asked({ groups: ["system:bootstrappers:tradewind"] }),
            asked({ groups: [group, other] }),
            asked({ signer: "kubernetes.io/kube-apiserver-client" }),
            asked({ conditions: ["Approved"] }),
            asked({ conditions: ["Denied"] }),
        ]) {
            assert.equal(decide(each, scene()), undefined);
        }
    });

    it("may not be a controller, nor anything else than a node of that name", () => {
        assert.match(whyNot(asked({ node: "c-controller-0" })), /^c-controller-0 is no name of a node of pool a$/);
        assert.match(whyNot(asked({ node: `${instance(1)}\n` })), /^it is for system:node:/);
        const admin = csr("kubernetes-admin", { organization: "system:masters" });
        assert.match(whyNot(asked({ text: admin })), /^it is for kubernetes-admin of system:masters$/);
        const masters = csr(`system:node:${instance(1)}`, { organization: "system:masters" });
        assert.match(whyNot(asked({ text: masters })), /of system:masters$/);
        const server = csr(`system:node:${instance(1)}`, { dnsNames: ["api.example.com"] });
        assert.match(whyNot(asked({ text: server })), /, and more$/);
        assert.match(whyNot(asked({ text: "x" })), /not one certificate request/);
        assert.match(whyNot(asked({ usages: ["client auth", "server auth"] })), /usages are client auth, server auth$/);
        assert.match(whyNot(asked({ usages: [] })), /usages are $/);
    });

    it("may not be a node that is there, Ready or not", () => {
        for (const isReady of [true, false]) {
            const nodes = [node(instance(1), "a", isReady)];
            assert.match(whyNot(asked(), { nodes }), /^node i-0+1\..* is there already$/);
        }
    });

    it("may not when its pool has as many nodes as it may have, those on their way among them", () => {
        const full = [node(instance(2), "a"), node(instance(3), "a")];
        assert.equal(whyNot(asked(), { nodes: full }), "pool a has 2 nodes, of 2 at most");
        const requests = [asked({ node: instance(3), conditions: ["Approved"] })];
        assert.equal(whyNot(asked(), { nodes: full.slice(0, 1), requests }), "pool a has 2 nodes, of 2 at most");
    });

    it("may in the place of one that is lost, or that never came", () => {
        const lost = [node(instance(2), "a"), node(instance(3), "a", false)];
        assert.equal(decide(asked(), scene({ nodes: lost }))?.isApproved, true);
        const long = asked({ node: instance(3), conditions: ["Approved"], created: "2030-01-01T00:40:00Z" });
        assert.equal(decide(asked(), scene({ nodes: lost.slice(0, 1), requests: [long] }))?.isApproved, true);
    });

    it("may not when nodes that call themselves another pool's take all the room", () => {
        const nodes = [1, 2, 3].map((index) => node(instance(10 + index), "elsewhere"));
        assert.equal(whyNot(asked(), { nodes }), "all pools have 3 nodes, of 3 at most");
    });

    it("may ask again under its own name", () => {
        const nodes = [node(instance(2), "a")];
        const requests = [asked({ conditions: ["Approved"] })];
        assert.equal(decide(asked(), scene({ nodes, requests }))?.isApproved, true);
    });
});
