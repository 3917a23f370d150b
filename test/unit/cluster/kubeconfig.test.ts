import assert from "node:assert/strict";
import { kubeconfig } from "../../../cluster/kubeconfig";

describe("kubeconfig", () => {
    const options = { cluster: "c", server: "https://api.example:6443", ca: "CA", user: "someone" };

    it("identifies by certificate", () => {
        const { users, clusters } = JSON.parse(kubeconfig({ ...options, credentials: { cert: "C", key: "K" } }));
        assert.deepEqual(users, [
            { name: "someone", user: { "client-certificate-data": "Qw==", "client-key-data": "Sw==" } },
        ]);
        assert.deepEqual(clusters[0].cluster, { server: options.server, "certificate-authority-data": "Q0E=" });
    });

    it("identifies by token", () => {
        const { users, ...config } = JSON.parse(kubeconfig({ ...options, credentials: { token: "T" } }));
        assert.deepEqual(users, [{ name: "someone", user: { token: "T" } }]);
        assert.equal(config["current-context"], "c");
        assert.deepEqual(config.contexts, [{ name: "c", context: { cluster: "c", user: "someone" } }]);
    });
});
