import assert from "node:assert/strict";
import { bundleAgent } from "../../../../../bundling/agents";
import { rebootApprover } from "../../../../../cluster/manifests/nodes/reboot-approver";
import { resolveOsReboots } from "../../../../../cluster/os-reboots";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";

const reboots = resolveOsReboots({ windows: ["Sun 02:00-05:00"] });
const manifests = rebootApprover(fixedCluster(), reboots, "text");
const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind);

interface Rule {
    readonly resources: string[];
    readonly resourceNames?: string[];
    readonly verbs: string[];
}

describe("reboot-approver", () => {
    it("has room", () => assert.ok(bundleAgent("reboot-approver").length < 2 ** 20));

    it("may write its Lease and events, and otherwise only read", () => {
        const rules = [...ofKind("ClusterRole"), ...ofKind("Role")].map(({ kind, metadata, rules }) => [
            kind === "Role" ? metadata.namespace : "everywhere",
            metadata.name,
            ...(rules as Rule[]).map(({ resources, resourceNames = ["all"], verbs }) =>
                [verbs, resources, resourceNames].map((each) => each.join()).join(" "),
            ),
        ]);
        assert.deepEqual(rules, [
            ["everywhere", "tradewind:reboot-approver", "list,watch nodes all"],
            [
                "kube-system",
                "tradewind:reboot-approver",
                "create leases all",
                "get,patch leases os-reboot",
                "list daemonsets all",
                "list jobs all",
                "get configmaps etcd-status",
                "get deployments etcd-keeper",
            ],
            ["default", "tradewind:reboot-approver", "create events all"],
            ["kube-system", "tradewind:node-agent-os-reboot", "get leases os-reboot"],
        ]);
    });

    it("allows nodes to read whose turn it is, and nothing more", () => {
        const binding = ofKind("RoleBinding").find(({ metadata }) => metadata.name.includes("node-agent"))!;
        assert.deepEqual(binding.subjects, [
            { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:nodes" },
        ]);
    });

    it("has nothing of its node", () => {
        const spec = podSpecOf(ofKind("Deployment")[0]!) as { volumes: object[]; serviceAccountName: string };
        assert.deepEqual(
            spec.volumes.map((volume) => Object.keys(volume).sort()),
            [["configMap", "name"]],
        );
        assert.equal(spec.serviceAccountName, "reboot-approver");
    });
});
