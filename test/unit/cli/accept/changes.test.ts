import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { foreignChanges } from "../../../../cli/accept/changes";
import { describe as describeChanges, withAccepted } from "../../../../cli/accept/command";
import type { Manifest } from "../../../../cli/manifests/manifests";
import { readStackConfig } from "../../../../cli/updates/stack-file";

const image = "registry.k8s.io/kube-apiserver:v1.37.1";
const daemonSet = (
    command: readonly string[],
    more: object = {},
    spec: object = {},
    name = "kube-apiserver",
): Manifest => ({
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: {
        name,
        namespace: "kube-system",
        annotations: { "pulumi.com/patchFieldManager": "x" },
    } as Manifest["metadata"],
    spec: { template: { spec: { containers: [{ name, image, command: [name, ...command], ...more }], ...spec } } },
});
const planned = daemonSet(["--v=2", "--etcd-servers=https://a", "--profiling=false"], {
    resources: { requests: { cpu: "1" } },
});
/** By a stack that would change nothing itself. */
const unchanged = (own: Manifest[], live: Manifest[], isConfigured: (path: readonly string[]) => boolean) =>
    foreignChanges({ planned: own, applied: own, live }, isConfigured);
const changesTo = (live: Manifest, configured: readonly string[] = []) =>
    unchanged([planned], [live], (path) => configured.includes(path.join(".")));

describe("changes by kubectl to what a stack owns", () => {
    it("are none if the cluster has everything, and more, as others may add to it", () => {
        const live = daemonSet(["--v=2", "--etcd-servers=https://a", "--profiling=false"], {
            resources: { requests: { cpu: 1, memory: "1Gi" } },
            terminationMessagePath: "/dev/termination-log",
        });
        assert.deepEqual(changesTo({ ...live, status: {} }), { accepted: [], others: [], pending: [] });
    });

    it("are objects that someone deleted, but not those that the stack has yet to create, nor Jobs, which end", () => {
        const job: Manifest = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "once" } };
        const map: Manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "new" } };
        assert.deepEqual(
            foreignChanges({ planned: [planned, job, map], applied: [planned, job], live: [] }, () => false),
            {
                accepted: [],
                others: ["DaemonSet kube-system/kube-apiserver: it was deleted"],
                pending: ["ConfigMap new"],
            },
        );
    });

    it("are found in the default namespace, too", () => {
        const map = (metadata: object, data: object) =>
            ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", ...metadata }, data }) as Manifest;
        const { others } = unchanged([map({}, { a: "b" })], [map({ namespace: "default" }, { a: "c" })], () => false);
        assert.deepEqual(others, ["ConfigMap a: data.a"]);
    });

    it("are none where the API has added defaults to the objects of a list", () => {
        const policy = (rule: object): Manifest => ({
            ...{ apiVersion: "v1", kind: "Policy", metadata: { name: "a" } },
            spec: { rules: [rule] },
        });
        const of = (rule: object) => unchanged([policy({ groups: [""] })], [policy(rule)], () => false).others;
        assert.deepEqual(of({ groups: [""], scope: "*" }), []);
        assert.deepEqual(of({ groups: ["apps"], scope: "*" }), ["Policy a: spec.rules[0].groups"]);
    });

    it("are flags and images of programs that have options", () => {
        const live = daemonSet(
            ["--v=4", "--etcd-servers=https://a", "--profiling=false", "--max-requests-inflight=800"],
            {
                image: "example.com/kube-apiserver:v1.37.1",
                resources: { requests: { cpu: "1" } },
            },
        );
        assert.deepEqual(changesTo(live), {
            accepted: [
                { path: ["tradewind:images", "kubeApiserver"], value: "example.com/kube-apiserver:v1.37.1" },
                { path: ["tradewind:components", "kubeApiserver", "v"], value: "4" },
                { path: ["tradewind:components", "kubeApiserver", "max-requests-inflight"], value: "800" },
            ],
            others: [],
            pending: [],
        });
    });

    it("are not what the stack itself changes, by a newer release or an edit of its configuration", () => {
        const flags = ["--etcd-servers=https://a", "--profiling=false"];
        const more = { resources: { requests: { cpu: "1" } } };
        const applied = daemonSet(["--v=1", "--old=true", ...flags], { ...more, image: "old:v1" }, { priority: 1 });
        const next = daemonSet(["--v=2", ...flags], more, { priority: 2 });
        const compare = (live: Manifest) =>
            foreignChanges({ planned: [next], applied: [applied], live: [live] }, () => true);
        const pending = ["DaemonSet kube-system/kube-apiserver"];
        assert.deepEqual(compare(applied), { accepted: [], others: [], pending });
        // Someone changed a flag, a field and an image that the stack changes, too.
        const live = daemonSet(["--v=4", "--old=true", ...flags], { ...more, image: "mine:v1" }, { priority: 3 });
        assert.deepEqual(compare(live), {
            accepted: [
                { path: ["tradewind:images", "kubeApiserver"], value: "mine:v1" },
                { path: ["tradewind:components", "kubeApiserver", "v"], value: "4" },
            ],
            others: ["DaemonSet kube-system/kube-apiserver: spec.template.spec.priority"],
            pending,
        });
        // It is as the stack will have it.
        assert.deepEqual(compare(next), { accepted: [], others: [], pending: [] });
    });

    it("remove a flag only if the configuration has it", () => {
        const live = daemonSet(["--etcd-servers=https://a"], { resources: { requests: { cpu: "1" } } });
        const { accepted, others } = changesTo(live, ["tradewind:components.kubeApiserver.v"]);
        assert.deepEqual(accepted, [{ path: ["tradewind:components", "kubeApiserver", "v"], value: undefined }]);
        assert.deepEqual(others, ["DaemonSet kube-system/kube-apiserver: --profiling: the stack sets it itself"]);
    });

    it("are listed if no option can express them: flags that define the cluster, other fields, other programs", () => {
        const live = daemonSet(["--v=2", "--etcd-servers=https://b", "--profiling=false"], {
            resources: { requests: { cpu: "2" } },
        });
        const { accepted, others } = changesTo(live);
        assert.deepEqual(accepted, []);
        assert.equal(others.length, 2);
        assert.match(others[0]!, /^DaemonSet kube-system\/kube-apiserver: --etcd-servers: /);
        assert.equal(
            others[1],
            "DaemonSet kube-system/kube-apiserver: spec.template.spec.containers[kube-apiserver].resources.requests.cpu",
        );
        const proxy = daemonSet(["--a=1"], {}, {}, "metrics-proxy");
        assert.deepEqual(unchanged([proxy], [daemonSet(["--a=2"], {}, {}, "metrics-proxy")], () => false).others, [
            "DaemonSet kube-system/metrics-proxy: spec.template.spec.containers[metrics-proxy].command",
        ]);
    });

    it("are written between the other lines of the configuration, with their comments", () => {
        const text =
            '# ours\nconfig:\n  tradewind:components:\n    kubeApiserver:\n      v: "2" # loud\n      a: "1"\n';
        const at = (flag: string) => ["tradewind:components", "kubeApiserver", flag];
        const changed = withAccepted({ text, config: parse(text).config }, [
            { path: at("v"), value: "4" },
            { path: at("a") },
            { path: ["tradewind:images", "kubeProxy"], value: "example.com/a:v1" },
        ]);
        assert.match(changed, /^# ours\n/);
        assert.match(changed, /v: "4" # loud\n/);
        assert.deepEqual(parse(changed).config, {
            "tradewind:components": { kubeApiserver: { v: "4" } },
            "tradewind:images": { kubeProxy: "example.com/a:v1" },
        });
        assert.equal(parse(changed).config["tradewind:components"].kubeApiserver.v, "4");
    });

    it("are written whatever form the configuration has", () => {
        const folder = mkdtempSync(join(tmpdir(), "tradewind-accept-"));
        const written = (text: string) => {
            const file = join(folder, "Pulumi.c.yaml");
            writeFileSync(file, text);
            const path = (flag: string) => ["tradewind:components", "kubeApiserver", flag];
            return withAccepted(readStackConfig(file), [{ path: path("v"), value: "3" }, { path: path("a") }]);
        };
        const other = '{"kubeApiserver":{"v":"2","a":"1"},"etcd":{"b":"1"}}';
        try {
            for (const [text, also] of [
                ["", {}],
                ["config:\n", {}],
                ["config:\n  tradewind:components:\n", {}],
                ["config:\n  tradewind:components:\n    kubeApiserver:\n", {}],
                [`config:\n  tradewind:components: '${other}'\n`, { etcd: { b: "1" } }],
                [`x: &x ${other}\nconfig:\n  tradewind:components: *x\n`, { etcd: { b: "1" } }],
                [`x: &x\n  tradewind:components: ${other}\nconfig:\n  <<: *x\n`, { etcd: { b: "1" } }],
            ] as const) {
                const components = { kubeApiserver: { v: "3" }, ...also };
                const { config } = parse(written(text), { merge: true });
                assert.deepEqual(config["tradewind:components"], components, text);
            }
            const windows = written('\ufeffconfig:\r\n  tradewind:cloud: aws # here\r\n  a: "true"\r\n');
            assert.match(windows, /^\ufeffconfig:\r\n {2}tradewind:cloud: aws # here\r\n {2}a: "true"\r\n/);
            assert.doesNotMatch(windows, /[^\r]\n/);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });

    it("are described before and after they are written", () => {
        const accepted = [{ path: ["tradewind:components", "kubeApiserver", "v"], value: "4" }];
        assert.equal(
            describeChanges({ accepted: [], others: [], pending: [] }, "x", false),
            "the cluster has everything as the stack declares it",
        );
        assert.match(
            describeChanges({ accepted: [], others: [], pending: ["ConfigMap c"] }, "x", false),
            /^the cluster has everything as the last pulumi up applied it\n/,
        );
        assert.equal(
            describeChanges({ accepted, others: ["a: b"], pending: ["ConfigMap c"] }, "Pulumi.prod.yaml", false),
            [
                "Pulumi.prod.yaml would have, with --write:",
                "  tradewind:components.kubeApiserver.v: 4",
                "Not an option of the configuration; pulumi up --refresh reverts:",
                "  a: b",
                "Changed by the stack's own configuration or release since the last pulumi up, and left out:",
                "  ConfigMap c",
            ].join("\n"),
        );
        assert.match(
            describeChanges({ accepted, others: [], pending: [] }, "Pulumi.prod.yaml", true),
            /^Pulumi\.prod\.yaml now has:\n/,
        );
    });
});
