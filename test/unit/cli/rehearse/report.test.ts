import assert from "node:assert/strict";
import { comment } from "../../../../cli/preview/render/comment";
import { isGood, type RehearsalReport, renderRehearsal } from "../../../../cli/rehearse/report";

const kept = { unserved: [], unreadable: [], missing: [], changed: [], compared: 120 };
const good: RehearsalReport = {
    cluster: "c",
    from: "1.36.3",
    to: "1.37.1",
    snapshot: { name: "c-1", bytes: 1000, time: "2026-11-29T10:00:00Z" },
    startSeconds: { "1.37.1": 2.04 },
    leftOut: {},
    upgrade: kept,
    wayBack: kept,
    seconds: 7.2,
};
const bad: RehearsalReport = {
    ...good,
    leftOut: { "gadgets of example.com/v2": "its webhook does not answer" },
    upgrade: {
        ...kept,
        unserved: [{ kind: "Workload of scheduling.k8s.io/v1alpha2", objects: 3 }],
        missing: ["Secret default/gone"],
        changed: [{ kind: "Pod of v1", path: "spec.new", objects: 40 }],
    },
    wayBack: { ...kept, unreadable: [{ kind: "Widget of example.com/v1", error: "no kind" }] },
};

describe("the report of a rehearsal", () => {
    it("says in one sentence that nothing is lost", () => {
        assert.ok(isGood(good));
        const text = renderRehearsal(good);
        assert.match(text, /Kubernetes 1\.37\.1 reads all 120 objects, and Kubernetes 1\.36\.3 reads them again/);
        assert.match(text, /The snapshot c-1 of 2026-11-29T10:00:00Z \(1000 bytes\).* in 7 s/);
        assert.doesNotMatch(text, /\*\*/);
    });

    it("lists what is lost, in both directions", () => {
        assert.ok(!isGood(bad));
        const text = renderRehearsal(bad);
        for (const part of [
            "Kubernetes 1.37.1 does not have every object; Kubernetes 1.36.3 does not have every object afterwards.",
            "- Workload of scheduling.k8s.io/v1alpha2: 3 objects",
            "- Secret default/gone",
            "- Pod of v1: `spec.new` of 40",
            "- cannot be read: Widget of example.com/v1: no kind",
            "- gadgets of example.com/v2: its webhook does not answer",
        ]) {
            assert.ok(text.includes(part), `${part} in ${text}`);
        }
    });

    it("counts what is too much to list", () => {
        const missing = Array.from({ length: 25 }, (_, index) => `ConfigMap default/c${index}`);
        assert.match(renderRehearsal({ ...good, upgrade: { ...kept, missing } }), /- and 5 more/);
    });

    it("is in the pull-request comment of its stack", () => {
        const options = { project: "p", limit: 65_536, rest: "" };
        const text = comment([{ stack: "prod", rehearsals: [bad] }], options);
        assert.match(
            text,
            /\*\*Rehearsal of 1\.36\.3 to 1\.37\.1\*\* ✗ Kubernetes 1\.37\.1 does not have every object/,
        );
        assert.match(text, /<summary>.*Rehearsal with c-1[\s\S]*Secret default\/gone/);
    });
});
