import assert from "node:assert/strict";
import { isCheckpointed, parentOf } from "../../../../agents/checkpointer/parent";

describe("the parent of a pod", () => {
    const cases: [string, { name: string; labels?: Record<string, string> }, string][] = [
        [
            "of a DaemonSet",
            { name: "kube-apiserver-x7k2p", labels: { "controller-revision-hash": "5c8" } },
            "kube-apiserver",
        ],
        ["of a Deployment", { name: "web-6d4cf56db6-abcde", labels: { "pod-template-hash": "6d4cf56db6" } }, "web"],
        [
            "of a StatefulSet",
            {
                name: "db-0",
                labels: { "controller-revision-hash": "db-7d", "statefulset.kubernetes.io/pod-name": "db-0" },
            },
            "db-0",
        ],
        ["that is alone", { name: "alone-abcde" }, "alone-abcde"],
    ];
    for (const [kind, pod, name] of cases) {
        it(`${kind} is ${name}`, () => assert.equal(parentOf({ namespace: "n", ...pod }), `n/${name}`));
    }
});

describe("a pod to checkpoint", () => {
    const pod = (annotations?: Record<string, string>) => isCheckpointed({ name: "p", namespace: "n", annotations });
    const asked = { "tradewind.dev/checkpoint": "true" };

    it("asks for it", () => {
        assert.equal(pod(asked), true);
        assert.equal(pod(), false);
        assert.equal(pod({ "tradewind.dev/checkpoint": "false" }), false);
    });

    it("is one of the API's, not a static one and not a copy", () => {
        assert.equal(pod({ ...asked, "kubernetes.io/config.source": "api" }), true);
        assert.equal(pod({ ...asked, "kubernetes.io/config.source": "file" }), false);
        assert.equal(pod({ ...asked, "tradewind.dev/checkpoint-of": "n/p" }), false);
    });
});
