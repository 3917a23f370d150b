import assert from "node:assert/strict";
import {
    internalAddress,
    isLost,
    isWithoutCni,
    kubeletVersion,
    nodeEvent,
    warning,
} from "../../../../clients/kubernetes/nodes";

describe("a node", () => {
    it("is lost if its kubelet has stopped reporting, but not if it never reported", () => {
        const lost = (status: string) => isLost({ status: { conditions: [{ type: "Ready", status }] } });
        assert.deepEqual(["Unknown", "False", "True"].map(lost), [true, false, false]);
        assert.equal(isLost({}), false);
    });

    it("has an address in the cluster's network, and a kubelet, once that has reported them", () => {
        const addresses = [
            { type: "Hostname", address: "n0" },
            { type: "InternalIP", address: "10.0.0.1" },
        ];
        const status = { addresses, nodeInfo: { kubeletVersion: "v1.36.3" } };
        assert.equal(internalAddress({ status }), "10.0.0.1");
        assert.equal(kubeletVersion({ status }), "1.36.3");
        assert.equal(internalAddress({}), undefined);
        assert.equal(kubeletVersion({}), "");
    });
});

describe("an Event about a node", () => {
    it("has at most the message that the API accepts", () => {
        const event = nodeEvent({ name: "n0", uid: "1" }, warning("Why", "x".repeat(2000)), { component: "c" });
        const { message, reason, type, involvedObject } = event as Record<string, unknown>;
        assert.equal((message as string).length, 1000);
        assert.deepEqual([reason, type], ["Why", "Warning"]);
        assert.deepEqual(involvedObject, { apiVersion: "v1", kind: "Node", name: "n0", uid: "1" });
    });
});

describe("a node without a CNI", () => {
    it("is known by what its kubelet says about the container runtime", () => {
        const message =
            "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";
        assert.equal(isWithoutCni(message), true);
        assert.equal(isWithoutCni("PLEG is not healthy"), false);
        assert.equal(isWithoutCni(undefined), false);
    });
});
