import assert from "node:assert/strict";
import { manifestKey } from "../../../../cluster/manifest";
import { addons } from "../../../../cluster/manifests/addons";
import { resolveCluster } from "../../../../cluster/resolve";
import { Addons } from "../../../../components/in-cluster/addons";
import { deploy } from "../../deploy";
import { Created, objectsOf, ownership } from "./owned-in-cluster";

describe("add-ons under the stack's ownership", () => {
    it("are those that the bootstrap applies, with the configured rollout timeout", async () => {
        const cluster = resolveCluster({ name: "c", rolloutTimeout: "2m" });
        const { resources } = await deploy(
            () => new Addons("c", { cluster, after: [new Created("control plane")], ...ownership() }),
        );
        const objects = objectsOf(resources);
        assert.deepEqual(
            objects.map(({ name }) => name).sort(),
            addons(cluster)
                .map((manifest) => `c/${manifestKey(manifest)}`)
                .sort(),
        );
        for (const { name, opts, dependsOn } of objects) {
            assert.deepEqual(opts.customTimeouts, { create: "120s", update: "120s" }, name);
            // kube-router may have been the pod network.
            const others = name === "c/daemonset/kube-system/flannel" ? ["c/daemonset/kube-system/kube-router"] : [];
            assert.deepEqual(dependsOn, ["control plane", ...others], name);
        }
    });
});
