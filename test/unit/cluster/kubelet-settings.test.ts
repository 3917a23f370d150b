import assert from "node:assert/strict";
import { kubeletSettings } from "../../../cluster/kubelet-settings";
import { fixedCluster } from "../components/in-cluster/fixture";

describe("the settings of a pool's kubelets", () => {
    const pools = [{ name: "a", taints: ["gpu=yes:NoSchedule"] }, { name: "b" }];
    const cluster = fixedCluster({ workerPools: pools });
    const taints = (pool: string) => JSON.parse(kubeletSettings(cluster, pool).configuration).registerWithTaints;

    it("have the pool's taints, and those of controllers", () => {
        assert.deepEqual(taints("a"), [{ key: "gpu", value: "yes", effect: "NoSchedule" }]);
        assert.deepEqual(taints("b"), []);
        assert.equal(taints("controller")[0].key, "node-role.kubernetes.io/control-plane");
    });

    it("have the CAs and kubeconfig that agents may change, once there is another CA", () => {
        const [both, switched] = [
            [1, 2],
            [2, 1],
        ].map((kubernetesCa) =>
            kubeletSettings(
                fixedCluster({ workerPools: pools, keys: { kubernetesCa }, components: { kubelet: { v: "4" } } }),
                "b",
            ),
        ) as [ReturnType<typeof kubeletSettings>, ReturnType<typeof kubeletSettings>];
        const { x509 } = JSON.parse(both.configuration).authentication;
        assert.equal(x509.clientCAFile, "/var/lib/kubelet/pki/authorities.crt");
        assert.deepEqual(both.flags, [
            "--kubeconfig=/var/lib/kubelet/pki/kubeconfig",
            "--bootstrap-kubeconfig=/var/lib/kubelet/pki/bootstrap-kubeconfig",
            "--v=4",
        ]);
        // The agents handle the issuing CA; only a kubelet that requests a certificate is restarted.
        assert.deepEqual({ ...both, id: "" }, { ...switched, id: "" });
        assert.notEqual(both.id, switched.id);
    });

    it("have a lock where kubelets are pods too, and none elsewhere", () => {
        const { flags } = kubeletSettings(fixedCluster({ selfHosted: { kubelet: true } }), "controller");
        assert.deepEqual(flags, ["--lock-file=/run/kubelet.lock", "--exit-on-lock-contention=true"]);
    });

    it("are others with another flag, and the same with the same", () => {
        const components = { kubelet: { v: "4" } };
        const [before, after] = [cluster, fixedCluster({ workerPools: pools, components })].map((each) =>
            kubeletSettings(each, "b"),
        ) as [ReturnType<typeof kubeletSettings>, ReturnType<typeof kubeletSettings>];
        assert.deepEqual([before.flags, after.flags], [[], ["--v=4"]]);
        assert.notEqual(before.id, after.id);
        assert.equal(before.configuration, after.configuration);
        assert.deepEqual(kubeletSettings(fixedCluster({ workerPools: pools }), "b"), before);
    });
});
