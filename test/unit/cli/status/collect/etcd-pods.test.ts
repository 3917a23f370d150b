import assert from "node:assert/strict";
import { etcdPods } from "../../../../../cli/status/collect/etcdctl";

const flags = [
    "--advertise-client-urls=https://10.0.0.11:2379",
    "--cert-file=/c",
    "--key-file=/k",
    "--trusted-ca-file=/ca",
];
const pod = (name: string, isReady: boolean, phase = "Running") => ({
    metadata: { name },
    spec: { containers: [{ name: "etcd", image: "etcd", command: ["etcd", ...flags] }] },
    status: {
        phase,
        conditions: [{ type: "Ready", status: isReady ? "True" : "False" }],
        // If a machine is lost, the status of its containers is not updated.
        containerStatuses: [{ name: "etcd", ready: true, restartCount: 0 }],
    },
});

describe("etcd pods for queries through the API", () => {
    it("use a member's own command line, ready ones first", () => {
        const options = { cacert: "/ca", cert: "/c", key: "/k" };
        const endpoint = "https://10.0.0.11:2379";
        assert.deepEqual(etcdPods([pod("a", false), pod("b", true), pod("c", true, "Failed")]), [
            { name: "b", endpoint, options, isReady: true },
            { name: "a", endpoint, options, isReady: false },
        ]);
    });
});
