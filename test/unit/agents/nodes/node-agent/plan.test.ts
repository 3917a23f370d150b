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
const group = { name: "c-a", hook: "c-a-drain", region: "r", service: "https://autoscaling.r.amazonaws.com" };

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
        ["an invalid hash", { kubelets: { [desired]: { ...source, sha256: "x" } } }, /\.sha256 must be a SHA-256/],
        ["a group without a hook", { group: { ...group, hook: "" } }, /^group\.hook must be a name \(got /],
        [
            "a group with an invalid service URL",
            { group: { ...group, service: "autoscaling" } },
            /^group\.service must be an https/,
        ],
        ["an invalid metadata URL", { noticesFrom: "169.254.169.254" }, /^noticesFrom must be an http:/],
        [
            "no URL",
            { kubelets: { [desired]: { ...source, urls: [] } } },
            /\.urls must be a list of URLs without spaces/,
        ],
        [
            "a URL that a shell would misread",
            { kubelets: { [desired]: { ...source, urls: ["http://a/$(reboot)"] } } },
            /\.urls must be a list of URLs/,
        ],
        [
            "CNI plugins without a hash",
            { cniPlugins: { ...plan.cniPlugins, sha256: "x" } },
            /^cniPlugins.sha256 must be a SHA-256/,
        ],
        [
            "other CNI plugins without a URL",
            { otherCniPlugins: [plan.cniPlugins, { ...plan.cniPlugins, urls: [] }] },
            /^otherCniPlugins\[1\].urls must be a list of URLs/,
        ],
        [
            "a container runtime whose runc has no URL",
            {
                containerRuntime: { containerd: source, runc: { ...source, urls: [] } },
                directories: { ...plan.directories, containerRuntime: "/opt/runtimes" },
            },
            /^containerRuntime\.runc\.urls must be a list of URLs/,
        ],
        [
            "another container runtime without a hash",
            { otherContainerRuntimes: [{ containerd: { ...source, sha256: "x" }, runc: source }] },
            /^otherContainerRuntimes\[0\]\.containerd\.sha256 must be a SHA-256/,
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
        ["an API without TLS", { apiServers: ["http://a"] }, /^apiServers must be a list of at least one https/],
        ["an invalid port", { healthPort: 0 }, /^healthPort must be a port/],
        [
            "a relative path",
            { directories: { ...plan.directories, state: "x" } },
            /^directories.state must be an absolu/,
        ],
        [
            "an unknown limit",
            { limits: { patience: 1 } as object },
            /^a key of limits must be one of drain, .* \(got "patience"\)$/,
        ],
        ["reboots that are not a boolean", { rebootsOs: 1 as never }, /^rebootsOs must be true or false/],
        [
            "an issuer that is not trusted",
            { identity: { ...identity, issuer: "kubernetes-ca-3" } },
            /^identity.issuer must be one of identity.authorities \(got "kubernetes-ca-3"\)$/,
        ],
        [
            "certificates in a relative path",
            { identity: { ...identity, directory: "pki" } },
            /^identity.directory must be an absolute path/,
        ],
        [
            "a member of etcd without TLS",
            { etcd: { endpoint: "http://a", pki: "/p" } },
            /^etcd.endpoint must be an https/,
        ],
        [
            "a member of etcd without a path",
            { etcd: { endpoint: "https://a", pki: "p" } },
            /^etcd.pki must be an absol/,
        ],
        [
            "another value that is not a boolean",
            { hasOtherNodes: "yes" as never },
            /^hasOtherNodes must be true or false/,
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
