import assert from "node:assert/strict";
import {
    allowedNext,
    etcdProblems,
    type RunningCluster,
    upgradeProblems,
    upgradeWarnings,
} from "../../../../cluster/upgrades/checks";
import { readableBy } from "../../../../cluster/upgrades/rollback";

const known = ["1.36.3", "1.36.1", "1.35.4", "1.35.2", "1.34.6", "1.33.9"];
const target = (kubernetes: string, etcd = "3.6.8") => ({ kubernetes, etcd });
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
        readableBy: readableBy(version, []),
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

const found = (from: RunningCluster, to: string, etcd?: string) => upgradeProblems(from, target(to, etcd));

describe("what is looked at before an upgrade", () => {
    it("suggest what is allowed instead, or the minor versions if this release has none", () => {
        const legalOf = (from: RunningCluster) => /must be (.*) while/.exec(found(from, "1.36.3")[0]!.message)![1];
        assert.equal(legalOf(running("1.34.6")), "a release of 1.34 or 1.35");
        assert.equal(legalOf(running("1.34.6", { apiservers: ["1.34.6", "1.35.4"] })), "a release of 1.34 or 1.35");
        assert.match(
            legalOf(running("1.29.0"))!,
            /^a release of 1\.29 or 1\.30 \(this release of Tradewind supports neither/,
        );
    });

    it("takes an etcd of the same minor version, and of the next", () => {
        for (const [from, to] of [
            ["3.6.8", "3.6.16"],
            ["3.6.16", "3.6.8"],
            ["3.5.26", "3.6.8"],
            ["3.6.8", "3.7.3"],
        ] as const) {
            assert.deepEqual(etcdProblems([{ name: "c-controller-0", version: from }], to), [], `${from} to ${to}`);
        }
        assert.equal(etcdProblems([{ name: "c-controller-0", version: "3.6.8" }], "3.8.0").length, 1);
    });

    it("takes a patch and a minor version, forward and back", () => {
        for (const [from, to] of [
            ["1.35.2", "1.35.4"],
            ["1.35.4", "1.35.2"],
            ["1.35.4", "1.36.3"],
            ["1.36.3", "1.35.4"],
        ] as const) {
            assert.deepEqual(found(running(from), to), [], `${from} to ${to}`);
        }
    });

    it("take older versions that can read what is stored", () => {
        const newer = running("1.37.2", { readableBy: "1.35" });
        assert.deepEqual(found(newer, "1.36.3"), []);
        assert.deepEqual(found(newer, "1.35.4"), []);
        assert.match(found(newer, "1.34.6")[0]!.message, /versions before 1\.35 may not read what is stored/);
        const older = running("1.36.3", { nodes: [node("1.36.3", { keepsKubelet: true })] });
        assert.match(found(older, "1.35.4")[0]!.message, /kubelet of c-a-0 must not be newer/);
    });

    it("take several minor versions at once with a way back to the first", () => {
        const skip = (from: string, to: string, rollbackTo?: string) =>
            upgradeProblems(running(from), { ...target(to), rollbackTo }).map(({ message }) => message);
        assert.match(skip("1.35.4", "1.37.2")[0]!, /cannot be skipped without rollbackTo: "1\.35" \(got 1\.37\.2\)/);
        assert.match(skip("1.35.4", "1.37.2", "1.36")[0]!, /cannot be skipped without rollbackTo: "1\.35"/);
        assert.match(skip("1.35.4", "1.39.0", "1.35")[0]!, /minor versions cannot be skipped \(/);
        assert.match(skip("1.29.0", "1.31.0", "1.29")[0]!, /minor versions cannot be skipped \(/);
        assert.deepEqual(skip("1.35.4", "1.37.2", "1.35"), []);
        assert.deepEqual(skip("1.35.4", "1.38.0", "1.35"), []);
        const behind = running("1.35.4", { components: [{ name: "kube-scheduler", version: "1.34.6" }] });
        assert.match(
            upgradeProblems(behind, { ...target("1.37.2"), rollbackTo: "1.35" })[0]!.message,
            /kube-scheduler must be at most 2 minor versions behind/,
        );
    });

    it("continue on the way over several minor versions, with controllers one behind the emulated one", () => {
        const onTheWay = (apiserver: string, scheduler: string) => {
            const components = [{ name: "kube-scheduler", version: scheduler }];
            const interrupted = running(apiserver, { components, isOnTheWay: true });
            return upgradeProblems(interrupted, { ...target("1.37.2"), rollbackTo: "1.34" });
        };
        assert.deepEqual(onTheWay("1.35.0", "1.34.4"), []);
        assert.deepEqual(onTheWay("1.36.0", "1.35.0"), []);
        assert.match(onTheWay("1.36.0", "1.34.4")[0]!.message, /must be at most 2 minor versions behind/);
    });

    it("allow kubelets three and components one or two minor versions behind, etcd 3.5.26 or 3.6, and an API that is removed later", () => {
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

    it("allow reverting a version that a node's agent could not install, even if a node is down", () => {
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
            "the worker c-a-0 is not Ready: kubelet upgrades of its pool will wait for it",
            "flannel has 1 of 3 pods Ready: its rollout will wait for all of them",
        ]);
        assert.deepEqual(upgradeWarnings(running("1.35.4")), []);
    });

    it("list the versions that may follow, oldest first", () => {
        assert.deepEqual(allowedNext("1.34.6", known), ["1.34.6", "1.35.2", "1.35.4"]);
        assert.deepEqual(allowedNext("1.36.1", known), ["1.36.1", "1.36.3"]);
    });
});
