import assert from "node:assert/strict";
import { plain } from "../../../../cli/recover/recover";
import { resolveCluster } from "../../../../components/cluster/resolve";
import { temporaryPod } from "../../../../components/control-plane";

describe("a plain temporary control plane", () => {
    const cluster = resolveCluster({
        name: "c",
        components: {
            kubeApiserver: { "no-such-flag": "1" },
            kubeScheduler: { v: "9" },
            etcd: { "log-level": "debug" },
        },
    });
    const commandOf = (of: typeof cluster) => JSON.stringify(temporaryPod(of, "kube-apiserver").spec.containers);

    it("does without the stack's own arguments", () => {
        assert.match(commandOf(cluster), /--no-such-flag/);
        assert.doesNotMatch(commandOf(plain(cluster)), /--no-such-flag/);
    });

    it("leaves etcd and the kubelet theirs", () => {
        assert.deepEqual(plain(cluster).extraArgs.etcd, { "log-level": "debug" });
    });
});
