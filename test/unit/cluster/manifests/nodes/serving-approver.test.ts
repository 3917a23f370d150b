import assert from "node:assert/strict";
import { planProblems } from "../../../../../agents/harness/plan";
import { planSchema } from "../../../../../agents/nodes/serving-approver/plan";
import { servingApprover, servingMachines } from "../../../../../cluster/manifests/nodes/serving-approver";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";

const manifests = servingApprover(fixedCluster(), "text");
const ofKind = (kind: string) => manifests.find((each) => each.kind === kind)!;

describe("serving-approver", () => {
    it("may approve kubelets' server certificates, and read requests", () => {
        const { rules } = ofKind("ClusterRole") as unknown as { rules: { resources: string[]; verbs: string[] }[] };
        assert.deepEqual(
            rules.map(({ resources, verbs }) => `${verbs} ${resources}`),
            ["list,watch certificatesigningrequests", "patch certificatesigningrequests/approval", "approve signers"],
        );
    });

    it("reads the machines from a separate file, which changes without a restart", () => {
        const { "plan.json": plan } = ofKind("ConfigMap").data as Record<string, string>;
        assert.deepEqual(planProblems(JSON.parse(plan!), planSchema), []);
        const machines = servingMachines({ "c-a-0": ["10.0.0.21"] });
        const volumes = podSpecOf(ofKind("Deployment"))!.volumes as { configMap: { name: string } }[];
        assert.deepEqual(
            volumes.map(({ configMap }) => configMap.name),
            [ofKind("ConfigMap").metadata.name, machines.metadata.name],
        );
        const { "machines.json": text } = machines.data as Record<string, string>;
        assert.ok(JSON.parse(plan!).machines.endsWith("/machines.json"));
        assert.deepEqual(JSON.parse(text!), { "c-a-0": ["10.0.0.21"] });
    });
});
