import assert from "node:assert/strict";
import { planProblems } from "../../../../../agents/harness/plan";
import { type KubeletIdentity, type NodeAgentPlan, planSchema } from "../../../../../agents/nodes/node-agent/plan";
import { nodeAgentPlan } from "../../../../../cluster/manifests/nodes/node-agent";
import { downloads, fixedCluster } from "../../../components/in-cluster/fixture";

const plan = nodeAgentPlan(fixedCluster(), { pool: "controller", downloads, maxUnavailable: 1 });
const { desired } = plan;
const { identity } = nodeAgentPlan(fixedCluster({ keys: { kubernetesCa: [1, 2] } }), {
    pool: "controller",
    downloads,
    maxUnavailable: 1,
}) as { identity: KubeletIdentity };
const source = plan.kubelets[desired]!;

describe("the plan of a node-agent", () => {
    it("matches what the components write", () => assert.deepEqual(planProblems(plan, planSchema), []));

    it("takes a node that waits for the users' CNI for Ready, and no other one", () => {
        const of = (cni: string) => {
            const pool = { pool: "controller", downloads, maxUnavailable: 1 };
            return nodeAgentPlan(fixedCluster({ network: { cni } }), pool);
        };
        assert.deepEqual(planProblems(of("none"), planSchema), []);
        assert.deepEqual(
            ["none", "kube-router", "flannel"].map((cni) => of(cni).hasOwnCni),
            [true, undefined, undefined],
        );
    });

    const table: [string, Partial<NodeAgentPlan>, RegExp][] = [
        ["a version that is not pinned", { desired: "1.0.0" }, /^desired must be one of kubelets, .* \(got "1.0.0"\)$/],
        [
            "a version that is a path",
            { kubelets: { [desired]: source, "../x": source } },
            /^a key of kubelets must be <ma/,
        ],
        [
            "a URL that a shell would misread",
            { kubelets: { [desired]: { ...source, urls: ["http://a/$(reboot)"] } } },
            /\.urls must be a list of URLs/,
        ],
        [
            "a container runtime without a directory",
            { containerRuntime: { containerd: source, runc: source } },
            /^directories\.containerRuntime must be an absolute path/,
        ],
        [
            "settings that are a path",
            { settings: { ...plan.settings, id: "../x" } },
            /^settings.id must be hexadecimal/,
        ],
        [
            "two flags in one",
            { settings: { ...plan.settings, flags: ["--v=1\n--x"] } },
            /^settings.flags must be a list of flags/,
        ],
        [
            "an unknown limit",
            { limits: { patience: 1 } as object },
            /^a key of limits must be one of drain, .* \(got "patience"\)$/,
        ],
        [
            "an issuer that is not trusted",
            { identity: { ...identity, issuer: "kubernetes-ca-3" } },
            /^identity.issuer must be one of identity.authorities \(got "kubernetes-ca-3"\)$/,
        ],
    ];
    for (const [title, wrong, problem] of table) {
        it(`is rejected with ${title}`, () => {
            const problems = planProblems({ ...plan, ...wrong }, planSchema);
            assert.equal(problems.length, 1, problems.join("; "));
            assert.match(problems[0]!, problem);
        });
    }
});
