import assert from "node:assert/strict";
import type { CaFacts } from "../../../../cluster/keys/kubernetes-ca";
import { firstKeys, type KeyLists } from "../../../../cluster/keys/lists";
import { type KeyFacts, keyVerdict } from "../../../../cluster/keys/rotation-check";
import { golden } from "../../golden";

const facts = (current: KeyLists, others: Partial<KeyFacts> = {}): KeyFacts => ({
    current,
    holders: [{ name: "the DaemonSet kube-apiserver", keys: current }],
    members: ["c-controller-0", "c-controller-1"].map((node) => ({ name: `etcd-${node}`, etcdCa: current.etcdCa })),
    controllers: ["c-controller-0", "c-controller-1"],
    rewrites: { current: "complete", desired: "none" },
    tokens: [],
    ...others,
});
const keys = (serviceAccount: number[], encryption: (number | "plain")[] = ["plain"]): KeyLists => ({
    ...firstKeys,
    serviceAccount,
    encryption,
});
const etcd = (etcdCa: number[]): KeyLists => ({ ...firstKeys, etcdCa });
const kubernetes = (kubernetesCa: number[]): KeyLists => ({ ...firstKeys, kubernetesCa });
const published = { namespace: "shop", cas: ["kubernetes-ca", "kubernetes-ca-2"], since: 2 };
const reader = { namespace: "shop", workload: "deployment/till", created: 1, started: 1 };
const cas = (more: Partial<CaFacts> = {}): Partial<KeyFacts> => ({
    cas: { holders: [], unsettledNodes: [], published: [published], readers: [], ...more },
});
const members = (...lists: number[][]): Partial<KeyFacts> => ({
    members: lists.map((etcdCa, index) => ({ name: `etcd-c-controller-${index}`, etcdCa })),
});

describe("the preview of a key rotation", () => {
    it("is as reviewed, of each step and of each that is left out", () => {
        const [one, both, switched, two] = [keys([1]), keys([1, 2]), keys([2, 1]), keys([2])];
        const plain = [keys([1]), keys([1], ["plain", 1]), keys([1], [1, "plain"]), keys([1], [1])] as const;
        const cases: [string, KeyFacts, KeyLists][] = [
            ["a second key comes", facts(one), both],
            ["it signs", facts(both), switched],
            ["the first goes", facts(switched), two],
            ["the second signs at once", facts(one), switched],
            ["the second takes the place of the first", facts(one), two],
            ["the first goes while it signs", facts(both), two],
            [
                "a pod is of before the second came",
                facts(both, { holders: [{ name: "the pod kube-apiserver-x5x9p", keys: one }] }),
                switched,
            ],
            [
                "the first goes while pods have its tokens",
                facts(switched, { tokens: ["pods have tokens signed with key 1 until 2026-11-22 07:00 UTC"] }),
                two,
            ],
            ["Secrets are to be encrypted", facts(plain[0]), plain[1]],
            ["they are", facts(plain[1]), plain[2]],
            ["they are no longer read as they were", facts(plain[2]), plain[3]],
            ["they are encrypted at once", facts(plain[0]), plain[3]],
            [
                "plain ones are not read, and some are there",
                facts(plain[2], { rewrites: { current: "incomplete", desired: "none" } }),
                plain[3],
            ],
            ["etcd has a second authority", facts(one), etcd([1, 2])],
            ["it issues", facts(etcd([1, 2])), etcd([2, 1])],
            ["the first is trusted no more", facts(etcd([2, 1])), etcd([2])],
            ["it issues, and a member does not trust it yet", facts(etcd([1, 2]), members([1, 2], [1])), etcd([2, 1])],
            [
                "the first is trusted no more, and a member has its certificate still",
                facts(etcd([2, 1]), members([2, 1], [1, 2])),
                etcd([2]),
            ],
            ["it issues, and nothing is known of a member", facts(etcd([1, 2]), members([1, 2])), etcd([2, 1])],
            ["a second authority comes again that was given up", facts(one, members([1, 2], [1])), etcd([1, 2])],
            ["Kubernetes has a second authority", facts(kubernetes([1])), kubernetes([1, 2])],
            ["the second issues", facts(kubernetes([1, 2]), cas()), kubernetes([2, 1])],
            ["the first is distrusted", facts(kubernetes([2, 1]), cas()), kubernetes([2])],
            ["the second issues at once", facts(kubernetes([1])), kubernetes([2, 1])],
            ["the first is distrusted while it issues", facts(kubernetes([1, 2])), kubernetes([2])],
            [
                "the first is distrusted while kubelets have its certificates",
                facts(
                    kubernetes([2, 1]),
                    cas({
                        holders: [{ name: "the pod node-agent-default-x5x9p", keys: { kubernetesCa: [1, 2] } }],
                        unsettledNodes: ["c-default-0"],
                    }),
                ),
                kubernetes([2]),
            ],
            [
                "the second issues, and pods do not know it",
                facts(kubernetes([1, 2]), cas({ readers: [reader] })),
                kubernetes([2, 1]),
            ],
            ["both at a time", facts(plain[0]), keys([1, 2], ["plain", 1])],
        ];
        const text = cases.map(([title, each, desired]) => {
            const { refusal, changes } = keyVerdict("c", each, desired, []);
            return [`# ${title}`, ...(refusal === undefined ? changes : [refusal])].join("\n");
        });
        golden(__dirname, "keys", `${text.join("\n\n")}\n`);
    });

    it("is a warning of what is not to be held against it", () => {
        const tokens = ["somebody has a token"];
        const verdict = keyVerdict("c", facts(keys([2, 1]), { tokens }), keys([2]), ["tokens"]);
        assert.equal(verdict.refusal, undefined);
        assert.deepEqual(verdict.warnings, ["somebody has a token (upgradeOverrides: tokens)"]);
        const known = facts(kubernetes([1, 2]), cas({ readers: [reader] }));
        const { refusal, warnings } = keyVerdict("c", known, kubernetes([2, 1]), ["cas"]);
        assert.equal(refusal, undefined);
        assert.match(warnings[0]!, /restart deployment\/till: .* \(upgradeOverrides: cas\)$/);
    });
});
