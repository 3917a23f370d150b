import assert from "node:assert/strict";
import { originOf, podFacts } from "../../../../../cli/status/collect/pods";
import type { Pod } from "../../../../../clients/kubernetes/objects";

const now = Date.parse("2026-11-21T06:00:00Z");

function pod(status: Pod["status"], change: Partial<Pod["spec"]> = {}, metadata: Partial<Pod["metadata"]> = {}): Pod {
    return {
        metadata: { name: "x", creationTimestamp: "2026-11-21T05:00:00Z", ...metadata },
        spec: {
            nodeName: "c-0",
            containers: [
                { name: "haproxy", image: "haproxy:3.0.11" },
                { name: "kube-apiserver", image: "registry.k8s.io/kube-apiserver:v1.36.3" },
            ],
            ...change,
        },
        status,
    };
}

const condition = (type: string, status: string, message?: string) => ({
    type,
    status,
    message,
    lastTransitionTime: "2026-11-21T05:59:30Z",
});

describe("the facts of a pod", () => {
    it("contain component, node, version and age", () => {
        const facts = podFacts(pod({ phase: "Running", conditions: [condition("Ready", "True")] }), now);
        assert.deepEqual(facts, {
            name: "x",
            node: "c-0",
            component: "kube-apiserver",
            origin: "api",
            state: "ready",
            problem: undefined,
            isEnding: false,
            sinceSeconds: 30,
            restarts: 0,
            version: "1.36.3",
        });
    });

    it("identify etcd in an API pod, or in one that makes way for it", () => {
        const volumes = [{ name: "data" }, { name: "etcd", image: { reference: "quay.io/coreos/etcd:v3.6.8" } }];
        const ofContainer = (name: string) => {
            const containers = [{ name, image: "docker.io/library/node:22.22.0-bookworm-slim" }];
            const { component, version } = podFacts(pod({}, { containers, volumes }), now);
            return [component, version];
        };
        assert.deepEqual(["etcd", "etcd-member"].map(ofContainer), [
            ["etcd", "3.6.8"],
            ["etcd", "3.6.8"],
        ]);
    });

    const problems: [string, Pod, string][] = [
        [
            "a crash-looping container",
            pod({
                conditions: [condition("Ready", "False", "containers with unready status: [kube-apiserver]")],
                containerStatuses: [
                    {
                        name: "kube-apiserver",
                        ready: false,
                        restartCount: 4,
                        state: { waiting: { reason: "CrashLoopBackOff" } },
                        lastState: { terminated: { reason: "Error", exitCode: 1 } },
                    },
                ],
            }),
            "kube-apiserver: CrashLoopBackOff, last exited with Error 1",
        ],
        [
            "a program that rejected its flags, with the last line of its output",
            pod({
                containerStatuses: [
                    {
                        name: "kube-apiserver",
                        ready: false,
                        restartCount: 2,
                        state: { waiting: { reason: "CrashLoopBackOff" } },
                        lastState: {
                            terminated: {
                                reason: "Error",
                                exitCode: 1,
                                message: "Usage:\n  -v\n\nError: no such flag\n",
                            },
                        },
                    },
                ],
            }),
            "kube-apiserver: CrashLoopBackOff, last exited with Error 1: Error: no such flag",
        ],
        [
            "a missing image of an init container",
            pod({
                initContainerStatuses: [
                    { name: "install", ready: false, restartCount: 0, state: { waiting: { reason: "ErrImagePull" } } },
                ],
                containerStatuses: [
                    { name: "a", ready: false, restartCount: 0, state: { waiting: { reason: "PodInitializing" } } },
                ],
            }),
            "install: ErrImagePull",
        ],
        ...[
            ["a mirror that is down", "dial tcp 192.0.2.9:5000: connect: connection refused"],
            ["an image that does not exist", "registry.example/a:1: not found"],
        ].map(([what, cause]): [string, Pod, string] => {
            const message = `Back-off pulling image "a": ErrImagePull: failed to pull and unpack image: ${"x".repeat(200)}: ${cause}`;
            const state = { waiting: { reason: "ImagePullBackOff", message } };
            return [
                `${what}, with its cause`,
                pod({ containerStatuses: [{ name: "a", ready: false, restartCount: 0, state }] }),
                `a: ImagePullBackOff: …${message.slice(-200)}`,
            ];
        }),
        [
            "a failing probe",
            pod({
                conditions: [condition("Ready", "False", "containers with unready status: [haproxy]")],
                containerStatuses: [{ name: "haproxy", ready: false, restartCount: 0, state: {} }],
            }),
            "haproxy is not ready",
        ],
        [
            "a pod without a node",
            pod(
                { phase: "Pending", conditions: [condition("PodScheduled", "False", "0/1 nodes are available")] },
                { nodeName: undefined },
            ),
            "0/1 nodes are available",
        ],
        ["a pod without a scheduler", pod({ phase: "Pending" }, { nodeName: undefined }), "not scheduled yet"],
        ["a pod without a reason", pod({ phase: "Pending" }), "Pending"],
    ];
    for (const [title, object, problem] of problems) {
        it(`contain the problem of ${title}`, () => {
            const facts = podFacts(object, now);
            assert.deepEqual([facts.state, facts.problem], ["not-ready", problem]);
        });
    }

    it("treat a finished Job as ready", () => {
        assert.equal(
            podFacts(pod({ phase: "Succeeded", conditions: [condition("Ready", "False")] }), now).state,
            "ready",
        );
    });

    it("contain a failed pod of a Job that is not waited for", () => {
        const status = { phase: "Failed", conditions: [condition("Ready", "False")] };
        const ownerReferences = [{ kind: "Job", name: "j", uid: "1" }];
        const { state, hasFailed } = podFacts(pod(status, {}, { ownerReferences }), now);
        assert.deepEqual([state, hasFailed], ["not-ready", true]);
        assert.equal(podFacts(pod(status), now).hasFailed, undefined);
    });

    it("ignore a pod that was lost with its node and has been replaced", () => {
        const conditions = [condition("Ready", "False"), condition("DisruptionTarget", "True")];
        assert.equal(podFacts(pod({ phase: "Failed", conditions }), now).state, "ready");
    });

    it("contain where the pod came from", () => {
        const mirror = { "kubernetes.io/config.mirror": "1" };
        assert.equal(originOf({}), "api");
        assert.equal(originOf({ annotations: mirror }), "static");
        assert.equal(
            originOf({ annotations: { ...mirror, "tradewind.dev/checkpoint-of": "kube-system/x" } }),
            "checkpoint",
        );
    });
});
