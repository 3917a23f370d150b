import assert from "node:assert/strict";
import { planProblems } from "../../../../../agents/harness/plan";
import { planSchema } from "../../../../../agents/secrets-rewrite/plan";
import { secretsRewrite, secretsRewriteJobName } from "../../../../../cluster/manifests/control-plane/secrets-rewrite";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";

const cluster = fixedCluster({ keys: { encryption: [1, "plain"] } });
const manifests = secretsRewrite(cluster, "text");
const ofKind = (kind: string) => manifests.find((each) => each.kind === kind)!;

describe("the Job that has Secrets written again", () => {
    it("is another one for each list of keys", () => {
        assert.equal(ofKind("Job").metadata.name, "secrets-rewrite-1-plain");
        assert.equal(secretsRewriteJobName({ encryption: [2, 1] }), "secrets-rewrite-2-1");
    });

    it("may list Secrets and change them, and nothing else", () => {
        const { rules } = ofKind("ClusterRole") as unknown as { rules: object[] };
        assert.deepEqual(rules, [{ apiGroups: [""], resources: ["secrets"], verbs: ["list", "patch"] }]);
    });

    it("runs on a controller as nobody, with a plan that it accepts", () => {
        const spec = podSpecOf(ofKind("Job"))!;
        assert.deepEqual(spec.nodeSelector, { "node-role.kubernetes.io/control-plane": "" });
        assert.equal((spec.securityContext as { runAsNonRoot: boolean }).runAsNonRoot, true);
        const { "plan.json": plan } = ofKind("ConfigMap").data as Record<string, string>;
        assert.deepEqual(planProblems(JSON.parse(plan!), planSchema), []);
    });
});
