import assert from "node:assert/strict";
import { planProblems } from "../../../../../agents/harness/plan";
import { planSchema } from "../../../../../agents/upgrade-guard/plan";
import { bundleAgent } from "../../../../../bundling/agents";
import { upgradeGuard, upgradeGuardPlan } from "../../../../../cluster/manifests/control-plane/upgrade-guard";
import { type Container, confined, type PodSpec } from "../../../../../cluster/manifests/pod";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";

const manifests = upgradeGuard(fixedCluster({ controllers: { count: 3 } }), "text");
const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind);

interface Rule {
    readonly resources?: string[];
    readonly nonResourceURLs?: string[];
    readonly resourceNames?: string[];
    readonly verbs: string[];
}

describe("upgrade-guard", () => {
    it("has room", () => assert.ok(bundleAgent("upgrade-guard").length < 2 ** 20));

    it("has a plan that its agent accepts", () => {
        assert.deepEqual(planProblems(upgradeGuardPlan(), planSchema), []);
        const wrong = { ...upgradeGuardPlan(), apiServer: "http://a", apiServerPort: 0, fieldManager: "" };
        assert.deepEqual(planProblems(wrong, planSchema), [
            'apiServer must be an https:// URL without a path (got "http://a")',
            "apiServerPort must be a port (got 0)",
            'fieldManager must be a name (got "")',
        ]);
    });

    it("may change three DaemonSets, its report and its own Leases, and delete pods in kube-system", () => {
        const rules = [...ofKind("ClusterRole"), ...ofKind("Role")].flatMap(({ rules }) =>
            (rules as Rule[]).map(({ resources, nonResourceURLs, resourceNames = ["all"], verbs }) =>
                [verbs, resources ?? nonResourceURLs, resourceNames].map((each) => each!.join()).join(" "),
            ),
        );
        const [first, second, third] = fixedCluster({ controllers: { count: 3 } }).controllers.names;
        assert.deepEqual(rules, [
            "get /metrics all",
            "create leases all",
            `get,patch leases upgrade-guard-${first},upgrade-guard-${second},upgrade-guard-${third}`,
            "get,list,watch,patch configmaps tradewind-upgrade",
            "get,patch daemonsets kube-apiserver,kube-controller-manager,kube-scheduler",
            "list,delete pods all",
            "create events all",
        ]);
    });

    it("runs on controllers only, without capabilities", () => {
        const spec = podSpecOf(ofKind("DaemonSet")[0]!) as PodSpec;
        assert.deepEqual(spec.nodeSelector, { "node-role.kubernetes.io/control-plane": "" });
        assert.deepEqual((spec.containers as Container[])[0]!.securityContext, confined);
    });
});
