import assert from "node:assert/strict";
import { componentPod, controllerDaemonSet } from "../../../../cluster/manifests/control-plane/component-pod";
import { httpsProbe } from "../../../../cluster/manifests/pod";
import { fixedCluster } from "../../components/in-cluster/fixture";

const pod = componentPod(fixedCluster(), "kube-scheduler", "0", (address) => ({
    containers: [{ name: "part", command: ["part", `--bind-address=${address}`] }],
}));

describe("a component's pod", () => {
    it("contains its own address throughout", () => {
        assert.match(JSON.stringify(pod.spec.containers), new RegExp(`--bind-address=${pod.address}"`));
    });

    it("runs as its own user on controllers, and reads its Secret", () => {
        assert.match(
            JSON.stringify(pod.spec.securityContext),
            /"runAsNonRoot":true,"runAsUser":60803,"runAsGroup":60803,"fsGroup":60803/,
        );
        assert.deepEqual(pod.spec.nodeSelector, { "node-role.kubernetes.io/control-plane": "" });
        assert.deepEqual((pod.spec.volumes as object[])[0], {
            name: "credentials",
            secret: { secretName: "kube-scheduler", defaultMode: 0o400 },
        });
    });

    it("of a DaemonSet is Ready before the old one is deleted", () => {
        const { spec } = controllerDaemonSet(pod, { note: "yes" }) as unknown as {
            spec: { updateStrategy: object; template: { metadata: { annotations: object } } };
        };
        assert.deepEqual(spec.updateStrategy, {
            type: "RollingUpdate",
            rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
        });
        assert.deepEqual(spec.template.metadata.annotations, {
            note: "yes",
            "tradewind.dev/checkpoint": "true",
            "tradewind.dev/loopback-address": pod.address,
        });
    });

    it("is probed over TLS at one address", () => {
        assert.deepEqual(httpsProbe("127.0.0.9", 1, "/livez", { periodSeconds: 3 }), {
            httpGet: { host: "127.0.0.9", port: 1, path: "/livez", scheme: "HTTPS" },
            timeoutSeconds: 5,
            periodSeconds: 3,
        });
    });
});
