import assert from "node:assert/strict";
import { planProblems } from "../../../../agents/node-approver/read-plan";
import { nodeApprover, nodeApproverPlan, poolGroup } from "../../../../components/control-plane/node-approver";
import { bootstrapGroup } from "../../../../components/control-plane/rbac";
import { fixedCluster, podSpecOf } from "../fixture";

const groups = { namePattern: "^i-[0-9a-f]{17}$", max: { a: 3, "big-one": 10 } };
const manifests = nodeApprover(fixedCluster(), groups, "text");
const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind);

describe("node-approver", () => {
    it("is told each pool's names and how many there may be, by the group that its token gives", () => {
        const plan = nodeApproverPlan(groups);
        assert.deepEqual(planProblems(plan), []);
        assert.deepEqual(plan.pools[poolGroup("big-one")], {
            pool: "big-one",
            namePattern: "^i-[0-9a-f]{17}$",
            max: 10,
        });
    });

    it("is the only one who approves what those groups ask for", () => {
        for (const pool of ["a", "big-one"]) {
            assert.notEqual(poolGroup(pool), bootstrapGroup);
            // What Kubernetes takes as a group of a token.
            assert.match(poolGroup(pool), /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/);
        }
        const [asks] = ofKind("ClusterRoleBinding").filter(
            ({ metadata }) => metadata.name === "tradewind:machine-groups",
        );
        assert.equal((asks!.roleRef as { name: string }).name, "system:node-bootstrapper");
        assert.doesNotMatch(JSON.stringify(manifests), /nodeclient/);
    });

    it("may approve kubelets' client certificates, and read what it needs for that", () => {
        const [role] = ofKind("ClusterRole") as unknown as { rules: { resources: string[]; verbs: string[] }[] }[];
        assert.deepEqual(
            role!.rules.map(({ resources, verbs }) => `${verbs} ${resources}`),
            [
                "list nodes",
                "list certificatesigningrequests",
                "patch certificatesigningrequests/approval",
                "approve signers",
            ],
        );
    });

    it("runs on a controller, alone, as nobody", () => {
        const [deployment] = ofKind("Deployment");
        const { replicas, strategy } = deployment!.spec as { replicas: number; strategy: { type: string } };
        assert.deepEqual([replicas, strategy.type], [1, "Recreate"]);
        const { nodeSelector, securityContext } = podSpecOf(deployment!)!;
        assert.deepEqual(nodeSelector, { "node-role.kubernetes.io/control-plane": "" });
        assert.equal((securityContext as { runAsNonRoot: boolean }).runAsNonRoot, true);
    });

    it("starts anew when its program or its plan changes", () => {
        const nameOf = (agent: string, max: number) =>
            nodeApprover(fixedCluster(), { ...groups, max: { a: max } }, agent).find(
                ({ kind }) => kind === "ConfigMap",
            )!.metadata.name;
        assert.equal(new Set([nameOf("text", 1), nameOf("other", 1), nameOf("text", 2)]).size, 3);
    });
});
