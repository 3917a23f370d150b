import assert from "node:assert/strict";
import { listedParentOf, type PodIdentity, parentOf } from "../../../../agents/checkpointer/parent";
import { isParent } from "../../../../agents/checkpointer/plan";
import { listedPod } from "./example";

const plan = { parents: ["kube-system/kube-apiserver", "kube-system/alone"] };
const asked = { "tradewind.dev/checkpoint": "true" };
const pod: PodIdentity = {
    name: "kube-apiserver-x7k2p",
    namespace: "kube-system",
    labels: { "controller-revision-hash": "5c8" },
    annotations: asked,
};

describe("the parent of a pod", () => {
    it("is its DaemonSet, if the plan names it", () => {
        assert.equal(parentOf(pod, plan), "kube-system/kube-apiserver");
        const annotations = { ...asked, "kubernetes.io/config.source": "api" };
        assert.equal(parentOf({ ...pod, annotations }, plan), "kube-system/kube-apiserver");
    });

    const cases: [string, Partial<PodIdentity>][] = [
        ["of another namespace", { namespace: "prod" }],
        ["of a DaemonSet that the plan does not name", { name: "web-x7k2p" }],
        ["without the annotation", { annotations: {} }],
        ["with the annotation set to no", { annotations: { "tradewind.dev/checkpoint": "false" } }],
        ["that is static", { annotations: { ...asked, "kubernetes.io/config.source": "file" } }],
        ["that is the mirror of a static one", { annotations: { ...asked, "kubernetes.io/config.mirror": "5c8" } }],
        ["that is a copy", { annotations: { ...asked, "tradewind.dev/checkpoint-of": "kube-system/kube-apiserver" } }],
        ["without an owner", { name: "alone", labels: {} }],
        [
            "of a Deployment of the same name",
            { name: "kube-apiserver-6d4cf56db6-abcde", labels: { "pod-template-hash": "6d4cf56db6" } },
        ],
        [
            "of a StatefulSet",
            {
                name: "kube-apiserver-00000",
                labels: { "controller-revision-hash": "a", "statefulset.kubernetes.io/pod-name": "kube-apiserver-0" },
            },
        ],
    ];
    for (const [kind, change] of cases) {
        it(`is none for one ${kind}`, () => assert.equal(parentOf({ ...pod, ...change }, plan), undefined));
    }

    it("must be its owner, if the API lists it", () => {
        const { metadata } = listedPod("kube-apiserver");
        const of = (...ownerReferences: { kind: string; name: string; controller?: boolean }[]) =>
            listedParentOf({ metadata: { ...metadata, ownerReferences } }, plan);
        assert.equal(listedParentOf({ metadata }, plan), "kube-system/kube-apiserver");
        assert.equal(of(), undefined);
        assert.equal(of({ kind: "DaemonSet", name: "kube-apiserver" }), undefined);
        assert.equal(of({ kind: "DaemonSet", name: "other", controller: true }), undefined);
        assert.equal(of({ kind: "Deployment", name: "kube-apiserver", controller: true }), undefined);
        assert.equal(of({ kind: "DaemonSet", name: "../../kube-system/kube-apiserver", controller: true }), undefined);
    });
});

describe("the name of a parent", () => {
    const cases: [unknown, boolean][] = [
        ["kube-system/kube-apiserver", true],
        ["kube-system/a.b-c", true],
        ["prod/web", false],
        ["kube-system/", false],
        ["kube-system/..", false],
        ["kube-system/a/b", false],
        ["kube-system/A", false],
        ["kube-system/a\n", false],
        [`kube-system/${"a".repeat(254)}`, false],
        [undefined, false],
    ];
    for (const [name, isLegal] of cases) {
        it(`${JSON.stringify(name)} is ${isLegal ? "valid" : "rejected"}`, () => assert.equal(isParent(name), isLegal));
    }
});
