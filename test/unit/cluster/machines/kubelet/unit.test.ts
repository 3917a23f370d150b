import assert from "node:assert/strict";
import { kubelet } from "../../../../../cluster/machines/kubelet/unit";
import { clusterApiServer, localApiServer } from "../../../../../cluster/network/ports";
import { diffable } from "../../../../../ignition";
import { downloads, fixedCluster } from "../../../components/in-cluster/fixture";
import { assertShell } from "../../../components/in-cluster/shell";

describe("the kubelet's unit", () => {
    const cluster = fixedCluster();
    const options = {
        machine: { name: "c-a-0", address: "10.0.0.21" },
        downloads,
        apiServer: clusterApiServer(cluster),
        ca: "CA",
        bootstrapToken: "abcdef.0123456789abcdef",
        labels: {},
        pool: "a",
    };
    const unit = diffable(kubelet(cluster, options))["kubelet.service"]!;

    it("is this node, by name and address", () => {
        assert.match(unit, / --hostname-override=c-a-0 /);
        assert.match(unit, / --node-ip=10\.0\.0\.21$/m);
    });

    it("is the node of the name that a cloud gave it, whatever its OS calls the machine later", () => {
        const wrapper = "/opt/tradewind/bin/kubelet-wrapper";
        const machine = { address: "10.0.0.0/16" };
        const named = diffable(kubelet(cluster, { ...options, machine }));
        assert.doesNotMatch(named["kubelet.service"]!, /--hostname-override/);
        assert.match(
            named[wrapper]!,
            /^node=\$\(\/opt\/tradewind\/bin\/node-name\)\nset -- "\$@" "--hostname-override=\$node"$/m,
        );
        assertShell(named[wrapper]!.replace(/^mode.*\n/, ""));
        assert.doesNotMatch(diffable(kubelet(cluster, options))[wrapper]!, /node-name|hostname-override/);
    });

    it("determines its machine before it starts, and leaves the rest to the cloud controller, if there is one", () => {
        const texts = diffable(kubelet(fixedCluster({ cloudProvider: "aws" }), options));
        assert.match(
            texts["kubelet.service"]!,
            /^ExecStartPre=\/usr\/bin\/env \/opt\/tradewind\/bin\/cloud-identity$/m,
        );
        assert.match(texts["kubelet.service"]!, / --cloud-provider=external$/m);
        assert.ok(texts["/opt/tradewind/bin/cloud-identity"]);
        assert.doesNotMatch(unit, /cloud-/);
    });

    it("reads CAs that may change where agents change them, and its token where it always is", () => {
        const texts = diffable(kubelet(fixedCluster({ keys: { kubernetesCa: [1, 2] } }), options));
        assert.equal(texts["/var/lib/kubelet/pki/authorities.crt"], "mode 0644\nCA");
        assert.match(
            texts["/var/lib/kubelet/pki/bootstrap-kubeconfig"]!,
            /^link to \/etc\/kubernetes\/bootstrap-kubeconfig$/m,
        );
        assert.match(
            texts["/opt/tradewind/bin/kubelet-wrapper"]!,
            /^\[ -e \/var\/lib\/kubelet\/pki\/kubeconfig \] \|\| /m,
        );
        const others = Object.keys(diffable(kubelet(cluster, options))).filter((path) => path.includes("kubelet/pki"));
        assert.deepEqual(others, []);
    });

    it("gives no empty list of labels", () => assert.doesNotMatch(unit, /--node-labels/));

    it("retries forever, and leaves containers running when it restarts", () => {
        assert.match(unit, /^Restart=always$/m);
        // In another section systemd ignores the setting, and gives up after five starts.
        assert.match(unit, /^\[Unit\]\n[^[]*^StartLimitIntervalSec=0$/m);
        assert.match(unit, /^KillMode=process$/m);
    });

    it("requires containerd only weakly: it neither stops nor fails with it", () => {
        assert.match(unit, /^Wants=containerd\.service /m);
        assert.match(unit, /^After=containerd\.service /m);
        assert.doesNotMatch(unit, /^(Requires|BindsTo|PartOf)=.*containerd/m);
    });

    it("reaches the API by name, or on the machine itself", () => {
        assert.equal(clusterApiServer(cluster), "https://api.c.tradewind.internal:6443");
        assert.equal(localApiServer, "https://127.0.0.1:6443");
    });
});
