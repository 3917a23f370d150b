import assert from "node:assert/strict";
import { clusterFlags, parseClusterOptions } from "../../../../cli/reach/cluster";

describe("the options that select a cluster", () => {
    it("are a name, a kubeconfig or a stack, and how to reach its machines", () => {
        const names = ["stack", "ssh-user", "ssh-key", "ssh-address", "name", "kubeconfig", "context"];
        assert.deepEqual(Object.keys(clusterFlags), names);
        const { name, kubeconfig, context, stack } = parseClusterOptions({ name: "blue", context: "c", stack: "prod" });
        assert.deepEqual(
            { name, kubeconfig, context, stack },
            { name: "blue", kubeconfig: undefined, context: "c", stack: "prod" },
        );
    });

    it("are checked", () => {
        assert.throws(() => parseClusterOptions({ name: "Blue" }), /^Error: --name must be .*, got Blue$/);
        assert.throws(() => parseClusterOptions({ "ssh-user": "core" }), /--ssh-user requires --stack/);
    });
});
