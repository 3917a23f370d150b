import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import { liveManifests, type Manifest, manifestsOf, missingFrom, render } from "../../../../cli/manifests/manifests";
import { SECRET, UNKNOWN } from "../../../../cli/preview/differences";
import type { Call, Caller } from "../../../../clients/kubernetes/api-client";
import { apiError } from "../../../../clients/kubernetes/api-error";

const object = (kind: string, name: string, more: object = {}): Manifest => ({
    apiVersion: kind === "DaemonSet" ? "apps/v1" : "v1",
    kind,
    metadata: { name, namespace: "kube-system" },
    ...more,
});

describe("manifests of a stack", () => {
    it("are the objects among its resources", () => {
        const flannel = object("DaemonSet", "flannel");
        const resources = [
            { type: "kubernetes:apps/v1:DaemonSet", values: flannel },
            { type: "kubernetes:apps/v1:DaemonSet" },
            { type: "pulumi:providers:kubernetes", values: { kubeconfig: SECRET } },
            { type: "tls:index/privateKey:PrivateKey", values: object("ConfigMap", "x") },
        ];
        assert.deepEqual(manifestsOf(resources), [flannel]);
    });

    it("are sorted YAML documents without Secrets, and a note names those", () => {
        const { yaml, notes } = render([
            object("Secret", "kube-apiserver", { data: { "ca.key": "c2VjcmV0" } }),
            object("DaemonSet", "flannel"),
            object("ConfigMap", "b", { data: { script: "echo 1\necho 2\n" } }),
            object("ConfigMap", "a"),
        ]);
        const documents = parseAllDocuments(yaml).map((each) => each.toJSON());
        assert.deepEqual(
            documents.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
            ["ConfigMap a", "ConfigMap b", "DaemonSet flannel"],
        );
        assert.match(yaml, /script: \|\n {4}echo 1\n {4}echo 2\n/);
        assert.doesNotMatch(yaml, /c2VjcmV0/);
        assert.deepEqual(notes, ["left out: Secret kube-system/kube-apiserver"]);
    });

    it("are named where the cluster lacks them", () => {
        const [map, set] = [object("ConfigMap", "a"), object("DaemonSet", "flannel")];
        assert.deepEqual(missingFrom([map], [map, set, object("Job", "once")]), [
            "not in the cluster: DaemonSet kube-system/flannel",
        ]);
        assert.deepEqual(missingFrom([map], [map]), []);
    });

    it("have no fields that the API, kubectl or Pulumi maintain", () => {
        const metadata = {
            name: "a",
            namespace: "n",
            uid: "1",
            resourceVersion: "2",
            generation: 3,
            creationTimestamp: "2026-01-01T00:00:00Z",
            managedFields: [],
            annotations: {
                "pulumi.com/patchFieldManager": "x",
                "deprecated.daemonset.template.generation": "1",
                own: "y",
            },
        };
        const { yaml } = render([{ ...object("ConfigMap", "a"), metadata, status: { phase: "x" }, data: { a: "b" } }]);
        assert.equal(
            yaml,
            `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  namespace: n
  annotations:
    own: y
data:
  a: b
`,
        );
    });

    it("say which values are known later, or secret", () => {
        const { notes } = render([
            object("ConfigMap", "later", { data: { address: `https://${UNKNOWN}:6443` } }),
            object("ConfigMap", "hidden", { data: { list: [SECRET] } }),
        ]);
        assert.deepEqual(notes, [
            "with values that are known after up: ConfigMap kube-system/later",
            "with values that are secret: ConfigMap kube-system/hidden",
        ]);
    });

    it("are read from the API without those that are missing there, with their kinds", async () => {
        const calls: string[] = [];
        const api: Caller = {
            async call<T>(path: string, _call?: Call): Promise<T> {
                calls.push(path);
                if (path === "/api/v1")
                    return { resources: [{ name: "configmaps", kind: "ConfigMap", namespaced: true }] } as T;
                if (path.endsWith("/missing")) throw apiError(404, "");
                return { metadata: { name: "a", namespace: "kube-system" }, data: { live: "yes" } } as T;
            },
        };
        const live = await liveManifests(api, [object("ConfigMap", "a"), object("ConfigMap", "missing")]);
        assert.deepEqual(live, [object("ConfigMap", "a", { data: { live: "yes" } })]);
        assert.ok(calls.includes("/api/v1/namespaces/kube-system/configmaps/a"));
    });
});
