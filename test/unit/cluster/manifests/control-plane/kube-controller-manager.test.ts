import assert from "node:assert/strict";
import { selfHostedPod, temporaryPod } from "../../../../../cluster/manifests/control-plane";
import type { ComponentPod } from "../../../../../cluster/manifests/control-plane/component-pod";
import type { Container } from "../../../../../cluster/manifests/pod";
import { dualStack, fakeCredentials, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden, goldenChange } from "../../../golden";

const cluster = fixedCluster();
const temporary = temporaryPod(cluster, "kube-controller-manager");
const selfHosted = selfHostedPod(cluster, "kube-controller-manager", fakeCredentials(cluster));
const command = ({ spec }: ComponentPod) => (spec.containers as Container[])[0]!.command as string[];

describe("kube-controller-manager", () => {
    it("as a static pod is as reviewed", () => golden(__dirname, "kube-controller-manager-temporary", temporary));

    it("differs as reviewed as a DaemonSet's pod", () => {
        goldenChange(__dirname, "kube-controller-manager-self-hosted", temporary, selfHosted);
    });

    it("gives the temporary one a short lease, since its successor waits until it ran out", () => {
        assert.ok(command(temporary).includes("--leader-elect-lease-duration=6s"));
        assert.ok(!command(selfHosted).some((flag) => flag.startsWith("--leader-elect-lease")));
    });

    it("raises the request rate only for the temporary one, which creates all service accounts", () => {
        assert.ok(command(temporary).includes("--kube-api-qps=200"));
        assert.ok(!command(selfHosted).some((flag) => flag.startsWith("--kube-api-")));
    });

    it("gives nodes and services addresses of both families, IPv4 first", () => {
        const flags = command(temporaryPod(fixedCluster({ network: dualStack }), "kube-controller-manager"));
        assert.ok(flags.includes("--cluster-cidr=10.2.0.0/16,fd00:10:2::/56"));
        assert.ok(flags.includes("--service-cluster-ip-range=10.3.0.0/16,fd00:10:3::/112"));
    });

    it("neither deletes Secrets of expired bootstrap tokens nor signs by them", () => {
        assert.ok(command(selfHosted).includes("--controllers=*"));
    });

    it("gives each controller its own service account", () => {
        assert.ok(command(selfHosted).includes("--use-service-account-credentials=true"));
    });

    it("is overridden by extra arguments", () => {
        const extra = fixedCluster({ components: { kubeControllerManager: { "leader-elect-lease-duration": "9s" } } });
        const leases = command(temporaryPod(extra, "kube-controller-manager")).filter((flag) =>
            flag.includes("lease-d"),
        );
        assert.deepEqual(leases, ["--leader-elect-lease-duration=9s"]);
    });
});
