import assert from "node:assert/strict";
import {
    allowedNext,
    describeRefusal,
    etcdHealthProblems,
    etcdProblems,
    type RunningCluster,
    type RunningEtcd,
    upgradeProblems,
    upgradeWarnings,
} from "../../../../components/cluster/upgrade-checks";
import { golden } from "../../golden";

const known = ["1.36.3", "1.36.1", "1.35.4", "1.35.2", "1.34.6", "1.33.9"];
const wanted = (kubernetes: string, etcd = "3.6.8") => ({ kubernetes, etcd });
const node = (kubelet: string, more: Partial<RunningCluster["nodes"][number]> = {}) => ({
    name: "c-a-0",
    kubelet,
    isController: false,
    isReady: true,
    isAgentReady: true,
    ...more,
});

function running(version: string, more: Partial<RunningCluster> = {}): RunningCluster {
    return {
        apiservers: [version],
        nodes: [node(version)],
        etcd: [{ name: "c-controller-0", version: "3.6.8" }],
        etcdTroubles: [],
        components: ["kube-controller-manager", "kube-scheduler", "kube-proxy"].map((name) => ({ name, version })),
        deprecatedApis: [],
        unaskedApiservers: 0,
        problems: [],
        lackingAddons: [],
        ...more,
    };
}

const found = (from: RunningCluster, to: string, etcd?: string) => upgradeProblems(from, wanted(to, etcd), known);

/** What runs, what is wanted, and what kube-apiserver was told to have last, where that is none of those that serve. */
type Jump = readonly [RunningCluster, string, { readonly etcd?: string; readonly told?: string }?];

/** Every jump that Kubernetes does not support, one of each kind. */
const illegal: Record<string, Jump> = {
    "a minor version is skipped": [running("1.34.6"), "1.36.3"],
    "two minor versions are skipped": [running("1.33.9"), "1.36.3"],
    "back to the minor version before": [running("1.36.3"), "1.35.4"],
    "back when one apiserver of three is newer": [
        running("1.35.4", { apiservers: ["1.35.4", "1.36.1"] }),
        "1.35.4",
        { told: "1.36.1" },
    ],
    "on when one apiserver of three is two behind": [
        running("1.35.4", { apiservers: ["1.34.6", "1.35.4"] }),
        "1.36.3",
        { told: "1.35.4" },
    ],
    "from a version that nothing known may follow": [running("1.29.0"), "1.36.3"],
    "a kubelet that is four behind": [running("1.35.4", { nodes: [node("1.32.1"), node("1.35.4")] }), "1.36.3"],
    "a kubelet that is newer": [running("1.35.2", { nodes: [node("1.36.1")] }), "1.35.4"],
    "a scheduler that an upgrade that was broken off left behind": [
        running("1.35.4", { components: [{ name: "kube-scheduler", version: "1.34.6" }] }),
        "1.36.3",
    ],
    "a controller manager that is newer": [
        running("1.35.2", { components: [{ name: "kube-controller-manager", version: "1.36.1" }] }),
        "1.35.4",
    ],
    "a kube-proxy that is four behind": [
        running("1.35.4", { components: [{ name: "kube-proxy", version: "1.32.1" }] }),
        "1.36.3",
    ],
    "a member of etcd that is not healthy": [
        running("1.35.4", {
            etcd: [
                { name: "c-controller-0", version: "3.6.8" },
                { name: "c-controller-1", problem: "connect ECONNREFUSED 10.0.0.12:2379" },
            ],
        }),
        "1.36.3",
    ],
    "an etcd that takes no writes": [
        running("1.35.4", { etcdTroubles: ["the alarm NOSPACE of c-controller-0"] }),
        "1.36.3",
    ],
    "an etcd of which nobody tells": [
        running("1.35.4", { etcdTroubles: ["no word of etcd-keeper (ConfigMap etcd-status in kube-system)"] }),
        "1.36.3",
    ],
    "an etcd that is too old for 3.6": [
        running("1.35.4", { etcd: [{ name: "c-controller-0", version: "3.5.25" }] }),
        "1.36.3",
    ],
    "an etcd of 3.4 before 3.6": [
        running("1.35.4", { etcd: [{ name: "c-controller-0", version: "3.4.30" }] }),
        "1.36.3",
    ],
    "an etcd that goes back": [running("1.35.4"), "1.36.3", { etcd: "3.5.26" }],
    "an API that is gone then": [
        running("1.35.4", { deprecatedApis: [{ name: "example.io/v1beta3 flowschemas", removedIn: "1.36" }] }),
        "1.36.3",
    ],
    "a controller that is not Ready": [
        running("1.35.4", { nodes: [node("1.35.4", { name: "c-controller-1", isController: true, isReady: false })] }),
        "1.36.3",
    ],
    "a node whose agent would not change its kubelet": [
        running("1.35.4", { nodes: [node("1.35.4"), node("1.34.6", { name: "c-a-1", isAgentReady: false })] }),
        "1.36.3",
    ],
    "a control plane that is not whole": [
        running("1.35.4", { problems: ["kube-scheduler has 2 of 3 pods Ready"] }),
        "1.36.3",
    ],
};

describe("what is looked at before an upgrade", () => {
    it("refuses every jump that Kubernetes does not support, and says what is allowed instead", () => {
        const texts = Object.entries(illegal).map(([what, [from, to, { etcd, told } = {}]]) => {
            const problems = found(from, to, etcd);
            assert.notEqual(problems.length, 0, what);
            const jump = `go from Kubernetes ${told ?? from.apiservers[0]} to ${to}`;
            return `# ${what}\n${describeRefusal("c", jump, problems)}\n`;
        });
        golden(__dirname, "illegal-jumps", texts.join("\n"));
    });

    it("refuses to change etcd as etcd does not support it, and while a member is not healthy", () => {
        const member = (version: string) => [{ name: "c-controller-0", version }];
        const cases: Record<string, readonly [readonly RunningEtcd[], string]> = {
            "back to the minor version before": [member("3.6.8"), "3.5.26"],
            "back to another major version": [member("4.0.0"), "3.6.8"],
            "a minor version is skipped": [member("3.6.8"), "3.8.0"],
            "3.6 after a 3.5 that is too old": [member("3.5.25"), "3.6.8"],
            "a member that does not answer": [
                [...member("3.6.8"), { name: "c-controller-1", problem: "connect ECONNREFUSED 10.0.0.12:2379" }],
                "3.6.16",
            ],
        };
        const texts = Object.entries(cases).map(([what, [etcd, to]]) => {
            const problems = [...etcdProblems(etcd, to), ...etcdHealthProblems(etcd, [])];
            assert.equal(problems.length, 1, what);
            return `# ${what}\n${describeRefusal("c", "change its etcd", problems)}\n`;
        });
        golden(__dirname, "illegal-etcd", texts.join("\n"));
        for (const [from, to] of [
            ["3.6.8", "3.6.16"],
            ["3.6.16", "3.6.8"],
            ["3.5.26", "3.6.8"],
            ["3.6.8", "3.7.3"],
        ]) {
            assert.deepEqual(etcdProblems(member(from!), to!), [], `${from} to ${to}`);
        }
    });

    it("takes a patch, forward and back, and the next minor version", () => {
        for (const [from, to] of [
            ["1.35.2", "1.35.4"],
            ["1.35.4", "1.35.2"],
            ["1.35.4", "1.36.3"],
        ] as const) {
            assert.deepEqual(found(running(from), to), [], `${from} to ${to}`);
        }
    });

    it("takes kubelets three behind, components of two minor versions, an etcd of 3.5.26 or 3.6, and an API that goes later", () => {
        const from = running("1.35.4", {
            nodes: [node("1.33.9"), node("1.35.4", { isReady: false })],
            components: [
                { name: "kube-proxy", version: "1.33.9" },
                { name: "kube-scheduler", version: "1.35.4" },
                { name: "kube-scheduler", version: "1.36.3" },
            ],
            etcd: [
                { name: "a", version: "3.5.26" },
                { name: "b", version: "3.6.1" },
            ],
            deprecatedApis: [{ name: "example.io/v1beta3 flowschemas", removedIn: "1.37" }],
        });
        assert.deepEqual(found(from, "1.36.3"), []);
    });

    it("lets a version be taken back that a node's agent could not bring there, and does not ask one of a node that is away", () => {
        const nodes = [
            node("1.36.1", { isAgentReady: false }),
            node("1.36.3", { name: "c-a-1", isReady: false, isAgentReady: false }),
        ];
        assert.deepEqual(found(running("1.36.3", { nodes }), "1.36.1"), []);
    });

    it("warns of workers and add-ons for which it will wait", () => {
        const from = running("1.35.4", {
            nodes: [
                node("1.35.4", { isReady: false }),
                node("1.35.4", { name: "c-controller-0", isController: true, isReady: false }),
            ],
            lackingAddons: ["flannel has 1 of 3 pods Ready"],
        });
        assert.deepEqual(upgradeWarnings(from), [
            "the worker c-a-0 is not Ready: the kubelets of its pool will wait for it",
            "flannel has 1 of 3 pods Ready: its rollout will wait for all of them",
        ]);
        assert.deepEqual(upgradeWarnings(running("1.35.4")), []);
    });

    it("knows the versions that may follow, the oldest first", () => {
        assert.deepEqual(allowedNext("1.34.6", known), ["1.34.6", "1.35.2", "1.35.4"]);
        assert.deepEqual(allowedNext("1.36.1", known), ["1.36.1", "1.36.3"]);
    });
});
