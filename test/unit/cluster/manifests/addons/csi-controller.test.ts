import assert from "node:assert/strict";
import { awsCsiDriver } from "../../../../../cluster/manifests/addons/aws";
import type { Container } from "../../../../../cluster/manifests/pod";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";

const manifests = awsCsiDriver(fixedCluster(), { region: "eu-central-1" });
const { containers, hostNetwork, securityContext } = podSpecOf(
    manifests.find(({ kind }) => kind === "Deployment")!,
)! as { containers: Container[]; hostNetwork: boolean; securityContext: Record<string, unknown> };

describe("the controller of a driver of volumes", () => {
    it("runs on its controller's own network, as nobody without capabilities", () => {
        assert.equal(hostNetwork, true);
        assert.deepEqual([securityContext.runAsNonRoot, securityContext.fsGroup], [true, 65534]);
        for (const { name, securityContext: own } of containers) {
            const { capabilities, allowPrivilegeEscalation } = own as Record<string, unknown>;
            assert.deepEqual([capabilities, allowPrivilegeEscalation], [{ drop: ["ALL"] }, false], String(name));
        }
    });

    it("elects leaders for creating, attaching and resizing", () => {
        const electing = containers.filter(({ args }) => (args as string[])?.includes("--leader-election=true"));
        assert.deepEqual(
            electing.map(({ name }) => name),
            ["provisioner", "attacher", "resizer"],
        );
    });

    it("is probed on another port than the node plugin", () => {
        const probed = JSON.stringify(containers.map(({ livenessProbe }) => livenessProbe));
        assert.match(probed, /"port":9809/);
        assert.doesNotMatch(probed, /"port":9808/);
    });

    it("may read no Secret, and change no node", () => {
        const role = manifests.find(({ kind }) => kind === "ClusterRole")! as unknown as {
            rules: { resources: string[]; verbs: string[] }[];
        };
        const changes = role.rules.filter(({ verbs }) => verbs.some((verb) => /create|update|patch|delete/.test(verb)));
        assert.deepEqual(
            changes.flatMap(({ resources }) => resources),
            [
                "persistentvolumes",
                "persistentvolumeclaims",
                "persistentvolumeclaims/status",
                "events",
                "volumeattachments",
                "volumeattachments/status",
            ],
        );
        assert.doesNotMatch(JSON.stringify(role.rules), /secrets|"\*"/);
    });
});
