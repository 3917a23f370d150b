import assert from "node:assert/strict";
import type { ComponentPod } from "../../../../../cluster/manifests/control-plane/component-pod";
import type { Container } from "../../../../../cluster/manifests/pod";
import { componentPodOf, dualStack, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster();
const pod = componentPodOf(cluster, "kube-controller-manager");
const command = ({ spec }: ComponentPod) => (spec.containers as Container[])[0]!.command as string[];

describe("kube-controller-manager", () => {
    it("is as reviewed", () => golden(__dirname, "kube-controller-manager", pod));

    it("creates the service accounts of all its controllers at once", () => {
        assert.ok(command(pod).includes("--kube-api-qps=200"));
    });

    it("gives nodes and services addresses of both families, IPv4 first", () => {
        const flags = command(componentPodOf(fixedCluster({ network: dualStack }), "kube-controller-manager"));
        assert.ok(flags.includes("--cluster-cidr=10.2.0.0/16,fd00:10:2::/56"));
        assert.ok(flags.includes("--service-cluster-ip-range=10.3.0.0/16,fd00:10:3::/112"));
    });

    it("neither deletes Secrets of expired bootstrap tokens nor signs by them", () => {
        assert.ok(command(pod).includes("--controllers=*"));
    });

    it("gives each controller its own service account", () => {
        assert.ok(command(pod).includes("--use-service-account-credentials=true"));
    });

    it("is overridden by extra arguments", () => {
        const extra = fixedCluster({ components: { kubeControllerManager: { "leader-elect-lease-duration": "9s" } } });
        const leases = command(componentPodOf(extra, "kube-controller-manager")).filter((flag) =>
            flag.includes("lease-d"),
        );
        assert.deepEqual(leases, ["--leader-elect-lease-duration=9s"]);
    });
});
