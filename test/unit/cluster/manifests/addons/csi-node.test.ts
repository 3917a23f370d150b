import assert from "node:assert/strict";
import { awsCsiDriver } from "../../../../../cluster/manifests/addons/aws";
import { digitalOceanCsiDriver } from "../../../../../cluster/manifests/addons/digitalocean";
import type { Container, Volume } from "../../../../../cluster/manifests/pod";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";

const manifests = digitalOceanCsiDriver(fixedCluster());
const spec = podSpecOf(manifests.find(({ kind }) => kind === "DaemonSet")!)!;
const containers = spec.containers as Container[];

describe("a driver of volumes on each node", () => {
    it("mounts where the host sees it, in the one container that is privileged", () => {
        const [driver, ...others] = containers;
        const mounts = driver!.volumeMounts as { mountPath: string; mountPropagation?: string }[];
        const kubelet = mounts.find(({ mountPath }) => mountPath === "/var/lib/kubelet")!;
        assert.equal(kubelet.mountPropagation, "Bidirectional");
        assert.deepEqual(driver!.securityContext, { privileged: true });
        for (const { securityContext } of others) {
            assert.equal((securityContext as { allowPrivilegeEscalation: boolean }).allowPrivilegeEscalation, false);
        }
    });

    it("registers where kubelets expect it, under its own name", () => {
        const paths = (spec.volumes as Volume[]).map(({ hostPath }) => (hostPath as { path: string }).path);
        assert.ok(paths.includes("/var/lib/kubelet/plugins/dobs.csi.digitalocean.com"));
        assert.ok(paths.includes("/var/lib/kubelet/plugins_registry"));
        assert.match(
            JSON.stringify(containers),
            /--kubelet-registration-path=\/var\/lib\/kubelet\/plugins\/dobs\.csi\.digitalocean\.com\/csi\.sock/,
        );
    });

    it("may not change Nodes, and has no API token if it does not need one", () => {
        assert.equal(spec.automountServiceAccountToken, false);
        const aws = awsCsiDriver(fixedCluster(), { region: "eu-central-1" });
        const role = aws.find(({ kind, metadata }) => kind === "ClusterRole" && /-node$/.test(metadata.name))!;
        assert.doesNotMatch(JSON.stringify(role.rules), /patch|update|create|delete/);
    });

    it("has no token of the cloud", () => assert.doesNotMatch(JSON.stringify(containers), /secretKeyRef|token/i));
});
