import assert from "node:assert/strict";
import type { Config } from "../../../../../simulator/plugins/kubernetes/config";
import type { KubernetesObject } from "../../../../../simulator/plugins/kubernetes/object";
import { between, object } from "./diff-cases";

describe("what cannot be changed in place", () => {
    const replacing: [string, KubernetesObject, KubernetesObject, Partial<Config>, string[]][] = [
        [
            "a name",
            object("Pod", "v1"),
            { ...object("Pod", "v1"), metadata: { name: "c", namespace: "b" } },
            {},
            ["metadata.name"],
        ],
        [
            "a ConfigMap",
            object("ConfigMap", "v1", { data: { x: "1" } }),
            object("ConfigMap", "v1", { data: { x: "2" } }),
            {},
            ["data.x"],
        ],
        [
            "a selector",
            object("DaemonSet", "apps/v1", { spec: { selector: { matchLabels: { a: "1" } } } }),
            object("DaemonSet", "apps/v1", { spec: { selector: { matchLabels: { a: "2" } } } }),
            {},
            ["spec.selector.matchLabels.a"],
        ],
        [
            "the template of a Job",
            object("Job", "batch/v1", { spec: { template: { spec: { containers: [{ image: "1" }] } } } }),
            object("Job", "batch/v1", { spec: { template: { spec: { containers: [{ image: "2" }] } } } }),
            {},
            ["spec.template.spec.containers[0].image"],
        ],
        [
            "a roleRef",
            object("RoleBinding", "rbac.authorization.k8s.io/v1", { roleRef: { name: "x" } }),
            object("RoleBinding", "rbac.authorization.k8s.io/v1", { roleRef: { name: "y" } }),
            {},
            ["roleRef.name"],
        ],
        [
            "an address",
            object("Service", "v1", { spec: { clusterIP: "1" } }),
            object("Service", "v1", { spec: { clusterIP: "2" } }),
            {},
            ["spec.clusterIP"],
        ],
        [
            "parameters of storage",
            object("StorageClass", "storage.k8s.io/v1", { parameters: { x: "1" } }),
            object("StorageClass", "storage.k8s.io/v1", { parameters: { x: "2" } }),
            {},
            ["parameters.x"],
        ],
        [
            "an immutable ConfigMap, though others may be changed",
            object("ConfigMap", "v1", { immutable: true, data: { x: "1" } }),
            object("ConfigMap", "v1", { immutable: true, data: { x: "2" } }),
            { enableConfigMapMutable: true },
            ["data.x"],
        ],
        [
            "the source of a volume",
            object("PersistentVolume", "v1", { spec: { hostPath: { path: "/x" }, capacity: { storage: "1Gi" } } }),
            object("PersistentVolume", "v1", { spec: { hostPath: { path: "/y" }, capacity: { storage: "2Gi" } } }),
            {},
            ["spec.hostPath.path"],
        ],
    ];
    for (const [what, before, after, options, paths] of replacing) {
        it(`replaces for a change of ${what}`, () => {
            const { changes } = between(before, after, options);
            assert.deepEqual(
                Object.keys(changes).filter((path) => changes[path]!.replace),
                paths,
            );
        });
    }

    const updating: [string, KubernetesObject, KubernetesObject, Partial<Config>, boolean][] = [
        [
            "a mutable ConfigMap",
            object("ConfigMap", "v1", { data: { x: "1" } }),
            object("ConfigMap", "v1", { data: { x: "2" } }),
            { enableConfigMapMutable: true },
            false,
        ],
        [
            "a mutable Secret",
            object("Secret", "v1", { data: { x: "1" } }),
            object("Secret", "v1", { data: { x: "2" } }),
            { enableSecretMutable: true },
            false,
        ],
        [
            "a template",
            object("DaemonSet", "apps/v1", { spec: { template: 1 } }),
            object("DaemonSet", "apps/v1", { spec: { template: 2 } }),
            {},
            false,
        ],
        [
            "the size of a claim",
            object("PersistentVolumeClaim", "v1", { spec: { resources: 1 } }),
            object("PersistentVolumeClaim", "v1", { spec: { resources: 2 } }),
            {},
            false,
        ],
        [
            "what a patch sets",
            object("ConfigMap", "v1", { data: { x: "1" } }),
            object("ConfigMap", "v1", { data: { x: "2" } }),
            {},
            true,
        ],
        [
            "a selector-like field",
            object("Deployment", "apps/v1", { spec: { selectorX: 1 } }),
            object("Deployment", "apps/v1", { spec: { selectorX: 2 } }),
            {},
            false,
        ],
    ];
    for (const [what, before, after, options, isPatch] of updating) {
        it(`updates in place for a change of ${what}`, () => {
            const changes = Object.values(between(before, after, options, isPatch).changes);
            assert.ok(changes.length);
            assert.ok(!changes.some(({ replace }) => replace));
        });
    }
});
