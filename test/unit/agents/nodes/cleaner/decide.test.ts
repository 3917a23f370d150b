import assert from "node:assert/strict";
import { type KnownNode, removalReason, suspectsAmong } from "../../../../../agents/nodes/cleaner/decide";

const plan = {
    apiServer: "https://127.0.0.1:6443",
    ec2: "https://ec2.eu-central-1.amazonaws.com",
    region: "eu-central-1",
    namePattern: "^i-[0-9a-f]{17}(\\.eu-central-1\\.compute\\.internal)?$",
    controllerLabel: "node-role.kubernetes.io/control-plane",
};
const id = "i-0123456789abcdef0";

function node(name: string, ready?: string, labels?: Record<string, string>): KnownNode {
    const conditions = ready ? [{ type: "Ready", status: ready }] : [];
    return { metadata: { name, uid: `uid of ${name}`, resourceVersion: "7", labels }, status: { conditions } };
}

describe("node-cleaner checks", () => {
    for (const ready of ["False", "Unknown", undefined]) {
        it(`an instance whose node is Ready: ${ready}`, () => {
            const name = `${id}.eu-central-1.compute.internal`;
            assert.deepEqual(suspectsAmong([node(name, ready)], plan), [
                { name, uid: `uid of ${name}`, resourceVersion: "7", instance: id, isReady: false },
            ]);
        });
    }

    it("an instance whose node is Ready, for anything with a certificate can report that", () => {
        assert.equal(suspectsAmong([node(id, "True")], plan)[0]?.isReady, true);
    });

    it("an instance named only by the node's name, if that is its ID", () => {
        const [suspect] = suspectsAmong([node(id, "False")], plan);
        assert.equal(suspect?.instance, id);
    });

    it("an instance of a removed pool", () => {
        assert.equal(suspectsAmong([node(id, "False", { "node.kubernetes.io/pool": "gone" })], plan).length, 1);
    });

    const left: Record<string, KnownNode> = {
        "a controller": node("c-controller-0", "False"),
        "a node with a controller's label": node(id, "False", { "node-role.kubernetes.io/control-plane": "" }),
        "an instance of another region": node(`${id}.eu-west-1.compute.internal`, "False"),
        "a node with any other name": node(`${id}x`, "Unknown"),
    };
    for (const [what, each] of Object.entries(left)) {
        it(`nothing for ${what}`, () => assert.deepEqual(suspectsAmong([each], plan), []));
    }
});

describe("an instance is gone", () => {
    it("if EC2 reports it as terminated", () => assert.equal(removalReason("terminated", 30), "is terminated"));

    it("if EC2 does not list it, and its node has been unreachable for longer than EC2 may take to list a new one", () => {
        assert.equal(removalReason(undefined, 299), undefined);
        assert.equal(removalReason(undefined, 300), "is unknown to EC2");
    });

    for (const state of ["pending", "running", "stopping", "stopped", "shutting-down", "anything new"]) {
        it(`never while it is ${state}`, () => assert.equal(removalReason(state, 1e9), undefined));
    }
});
