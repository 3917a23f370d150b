import assert from "node:assert/strict";
import type { Container, PodSpec } from "../../../../cluster/manifests/pod";
import { upgradeJobManifest } from "../../../../cluster/manifests/upgrade-job";
import type { UpgradeJobOptions } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import { jobsInOrder, orderWithJobs } from "../../../../cluster/upgrades/jobs";
import { stepNames, upgradeOrder } from "../../../../cluster/upgrades/order";

const image = "registry.example/test:v1";
const resolve = (...upgradeJobs: UpgradeJobOptions[]) => resolveCluster({ name: "c", upgradeJobs }).upgradeJobs;

describe("Jobs of an upgrade", () => {
    it("run by default as an unprivileged user of the namespace default, without a token, for ten minutes", () => {
        const [job] = resolve({ name: "smoke", after: "apiserver", image });
        assert.deepEqual(job, {
            name: "smoke",
            follows: "apiserver",
            when: "after kube-apiserver",
            namespace: "default",
            image,
            timeoutSeconds: 600,
        });
        const manifest = upgradeJobManifest(job!, "smoke-1", { from: "1.35.4", to: "1.36.3" });
        const labels = { "app.kubernetes.io/managed-by": "tradewind", "tradewind.dev/upgrade-job": "smoke" };
        assert.deepEqual(manifest.metadata, { name: "smoke-1", namespace: "default", labels });
        assert.deepEqual(manifest.spec, {
            backoffLimit: 0,
            activeDeadlineSeconds: 660,
            ttlSecondsAfterFinished: 86_400,
            template: {
                metadata: { labels },
                spec: {
                    restartPolicy: "Never",
                    automountServiceAccountToken: false,
                    // The Pod Security Standard `restricted`.
                    securityContext: {
                        runAsNonRoot: true,
                        runAsUser: 65534,
                        runAsGroup: 65534,
                        seccompProfile: { type: "RuntimeDefault" },
                    },
                    containers: [
                        {
                            name: "smoke",
                            image,
                            env: [
                                { name: "FROM_VERSION", value: "1.35.4" },
                                { name: "TO_VERSION", value: "1.36.3" },
                            ],
                            terminationMessagePolicy: "FallbackToLogsOnError",
                            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
                        },
                    ],
                },
            },
        });
    });

    it("run a command with a service account of their namespace on request", () => {
        const own = { command: ["kubectl", "get", "pods"], namespace: "2-tests", serviceAccount: "reader" };
        const [job] = resolve({ name: "smoke", before: "snapshot", image, timeout: "1h", ...own });
        assert.equal(job!.follows, undefined);
        const manifest = upgradeJobManifest(job!, "smoke-1", { from: "1.35.4", to: "1.36.3" });
        assert.equal(manifest.metadata.namespace, "2-tests");
        const { activeDeadlineSeconds, template } = manifest.spec as {
            activeDeadlineSeconds: number;
            template: { spec: PodSpec };
        };
        assert.equal(activeDeadlineSeconds, 3660);
        assert.equal(template.spec.automountServiceAccountToken, true);
        assert.equal(template.spec.serviceAccountName, "reader");
        assert.deepEqual((template.spec.containers as Container[])[0]!.command, own.command);
    });

    const legalSteps =
        "snapshot, etcd, checkpointer, apiserver, controllers, addons, controllerKubelets, workerKubelets";
    const wrong: [string, object, string | RegExp][] = [
        ["no step", {}, "upgradeJobs[0] must have one of before and after (got none)"],
        ["two steps", { before: "etcd", after: "etcd" }, "upgradeJobs[0] must have one of before and after (got both)"],
        ["an unknown step", { after: "kubelets" }, `upgradeJobs[0].after must be one of ${legalSteps} (got kubelets)`],
        ["an unknown step", { before: "" }, `upgradeJobs[0].before must be one of ${legalSteps} (got "")`],
        [
            "an image that no kubelet pulls",
            { after: "etcd", image: "registry.example/Smoke-Test:v1" },
            "upgradeJobs[0].image must be an image, such as registry.example/smoke-test:v1 (got registry.example/Smoke-Test:v1)",
        ],
        ["no image", { after: "etcd", image: "" }, /^upgradeJobs\[0\]\.image must be an image, such as .* \(got ""\)$/],
        ["a bad name", { after: "etcd", name: "a_b" }, /^upgradeJobs\[0\]\.name must be 1 to 40 .* \(got a_b\)$/],
        [
            "a long name",
            { after: "etcd", name: "a".repeat(41) },
            /^upgradeJobs\[0\]\.name must be 1 to 40 characters .* \(got a{41}\)$/,
        ],
        [
            "a bad namespace",
            { after: "etcd", namespace: "A" },
            /^upgradeJobs\[0\]\.namespace must be the name of a namespace .* \(got A\)$/,
        ],
        [
            "a bad service account",
            { after: "etcd", serviceAccount: "A b" },
            "upgradeJobs[0].serviceAccount must be the name of a service account (got A b)",
        ],
        [
            "a bad timeout",
            { after: "etcd", timeout: "2d" },
            "upgradeJobs[0].timeout must be a duration from 1s to 1d (got 2d)",
        ],
        ["an empty command", { after: "etcd", command: [] }, /^upgradeJobs\[0\]\.command must be .* \(got \[\]\)$/],
    ];
    for (const [title, options, message] of wrong) {
        it(`must not have ${title}`, () => {
            assert.throws(() => resolve({ name: "smoke", image, ...options }), { message });
        });
    }

    it("may have images in any form that kubelets take", () => {
        const names = ["busybox", "tests/smoke:v1.2", "localhost:5000/smoke", `smoke@sha256:${"a".repeat(64)}`];
        for (const name of names) assert.equal(resolve({ name: "smoke", after: "etcd", image: name })[0]!.image, name);
    });

    it("have unique names", () => {
        const job = { name: "smoke", after: "etcd", image };
        assert.throws(() => resolve(job, job), { message: "upgradeJobs[1].name must be unique (got smoke)" });
    });

    it("are part of the order that a preview shows", () => {
        assert.equal(orderWithJobs([]), upgradeOrder);
        const jobs = resolve(
            { name: "last", after: "workerKubelets", image },
            { name: "one", after: "snapshot", image },
            { name: "two", before: "etcd", image },
            { name: "first", before: "snapshot", image },
        );
        const order = orderWithJobs(jobs);
        assert.match(
            order,
            /^the Job first, then a snapshot of etcd, then the Job one, then the Job two, then etcd, if it changes, then checkpointer, .* pool by pool, then the Job last$/,
        );
        const between = [undefined, ...stepNames].map((step) => [step, jobsInOrder(order, step)] as const);
        assert.deepEqual(
            between.filter(([, found]) => found.length > 0),
            [
                [undefined, ["the Job first"]],
                ["snapshot", ["the Job one", "the Job two"]],
                ["workerKubelets", ["the Job last"]],
            ],
        );
        assert.deepEqual(jobsInOrder(upgradeOrder), []);
        assert.deepEqual(jobsInOrder("", "etcd"), []);
    });
});
