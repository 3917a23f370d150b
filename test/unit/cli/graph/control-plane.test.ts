import assert from "node:assert/strict";
import { etcdSummary, partsOn } from "../../../../cli/graph/control-plane";
import { known, unknown } from "../../../../cli/status/facts";
import { healthy, member, parts, pod, silentMember } from "../status/sample";

describe("the control plane on a node", () => {
    it("shows where each component runs from, and which one leads", () => {
        assert.deepEqual(partsOn("c-0", healthy()), [
            { component: "kube-apiserver", origin: "api", meaning: "good", words: "ready · 1.36.3" },
            { component: "kube-controller-manager", origin: "api", meaning: "good", words: "ready · leads · 1.36.3" },
            { component: "kube-scheduler", origin: "api", meaning: "good", words: "ready · leads · 1.36.3" },
            { component: "etcd", origin: "static", meaning: "good", words: "ready · leader · 3.6.8" },
        ]);
    });

    it("shows both pods during a rollout, without calling either the leader", () => {
        const pods = known([
            ...parts.map((part) => pod(part, "c-0")),
            pod("kube-scheduler", "c-0", { origin: "checkpoint", restarts: 1 }),
        ]);
        const schedulers = partsOn("c-0", healthy({ pods })).filter(({ component }) => component === "kube-scheduler");
        assert.deepEqual(
            schedulers.map(({ meaning, words }) => [meaning, words]),
            [
                ["good", "ready · 1.36.3"],
                ["warning", "ready · 1.36.3 · 1 restart"],
            ],
        );
    });

    it("shows a terminating pod as such, ready or not", () => {
        const pods = known([pod("kube-apiserver", "c-0", { isEnding: true, state: "not-ready" })]);
        const [apiserver] = partsOn("c-0", healthy({ pods }));
        assert.deepEqual([apiserver!.meaning, apiserver!.words], ["warning", "terminating · 1.36.3"]);
    });

    it("distinguishes missing components from unknown ones", () => {
        const words = (facts: ReturnType<typeof healthy>) => partsOn("c-0", facts).map((part) => part.words);
        assert.deepEqual(words(healthy({ pods: known([]) })), [
            ...Array(3).fill("not running"),
            "not running · leader",
        ]);
        assert.deepEqual(words(healthy({ pods: unknown("x"), etcd: unknown("x") })), Array(4).fill("unknown"));
    });
});

describe("the summary of etcd", () => {
    const of = (members: ReturnType<typeof member>[], alarms: { member: string; type: string }[] = []) =>
        etcdSummary(known({ members, alarms }));

    it("contains the members, how many answer, and the leader", () => {
        assert.deepEqual(of([member("c-0")]), { meaning: "good", words: "etcd: 1 member, c-0 leads" });
        assert.deepEqual(of([member("c-0"), member("c-1"), silentMember("c-2")]), {
            meaning: "warning",
            words: "etcd: 3 members, 2 of 3 voters answer, c-0 leads",
        });
    });

    it("ignores what other members say about a silent leader", () => {
        const { words } = of([silentMember("c-0"), member("c-1"), member("c-2")]);
        assert.equal(words, "etcd: 3 members, 2 of 3 voters answer, no leader answers");
    });

    it("is bad without a majority or a leader, and contains alarms", () => {
        assert.equal(of([member("c-0"), silentMember("c-1"), silentMember("c-2")]).meaning, "bad");
        assert.equal(of([member("c-0", { leader: undefined })]).words, "etcd: 1 member, no leader answers");
        assert.match(of([member("c-0")], [{ member: "a0", type: "NOSPACE" }]).words, /, alarm NOSPACE$/);
    });
});
