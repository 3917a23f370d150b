import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import type { Job } from "../../clients/kubernetes/objects";
import type { Manifest } from "../../cluster/manifest";
import { snapshotCronJob } from "../../cluster/manifests/etcd/etcd-keeper";
import type { StoredObject } from "./compare";

export const drillNamespace = "tradewind-drill";

const group = "drill.tradewind.dev";
const labels = { "app.kubernetes.io/part-of": drillNamespace };

/** Objects of many kinds, in creation order: built-in ones, workloads, and a custom resource. */
export function drillObjects(count: number, image: string): { path: string; object: Manifest }[] {
    const core = `/api/v1/namespaces/${drillNamespace}`;
    const named = (name: string) => ({ name, namespace: drillNamespace, labels });
    const many = Array.from({ length: count }, (_, index) => index);
    const pod = {
        metadata: { labels: { app: "drill" } },
        spec: { terminationGracePeriodSeconds: 1, containers: [{ name: "pause", image }] },
    };
    const selector = { matchLabels: { app: "drill" } };
    return [
        {
            path: "/api/v1/namespaces",
            object: { apiVersion: "v1", kind: "Namespace", metadata: { name: drillNamespace, labels } },
        },
        { path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", object: definition() },
        ...many.map((index) => ({
            path: `${core}/configmaps`,
            object: {
                apiVersion: "v1",
                kind: "ConfigMap",
                metadata: named(`drill-${index}`),
                data: { index: `${index}` },
            },
        })),
        ...many.map((index) => ({
            path: `${core}/secrets`,
            object: {
                apiVersion: "v1",
                kind: "Secret",
                metadata: named(`drill-${index}`),
                type: "Opaque",
                data: { index: Buffer.from(`${index}`).toString("base64") },
            },
        })),
        {
            path: `${core}/serviceaccounts`,
            object: { apiVersion: "v1", kind: "ServiceAccount", metadata: named("drill") },
        },
        {
            path: `${core}/services`,
            object: {
                apiVersion: "v1",
                kind: "Service",
                metadata: named("drill"),
                spec: { selector: selector.matchLabels, ports: [{ port: 80 }] },
            },
        },
        {
            path: `/apis/apps/v1/namespaces/${drillNamespace}/deployments`,
            object: {
                apiVersion: "apps/v1",
                kind: "Deployment",
                metadata: named("drill"),
                spec: { replicas: 2, selector, template: pod },
            },
        },
        {
            path: `/apis/policy/v1/namespaces/${drillNamespace}/poddisruptionbudgets`,
            object: {
                apiVersion: "policy/v1",
                kind: "PodDisruptionBudget",
                metadata: named("drill"),
                spec: { minAvailable: 1, selector },
            },
        },
        ...many.slice(0, 5).map((index) => ({
            path: `/apis/${group}/v1/namespaces/${drillNamespace}/drills`,
            object: {
                apiVersion: `${group}/v1`,
                kind: "Drill",
                metadata: named(`drill-${index}`),
                spec: { index },
            },
        })),
    ];
}

function definition(): Manifest {
    const schema = {
        openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { index: { type: "integer" } } } },
        },
    };
    return {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `drills.${group}`, labels },
        spec: {
            group,
            scope: "Namespaced",
            names: { plural: "drills", singular: "drill", kind: "Drill" },
            versions: [{ name: "v1", served: true, storage: true, schema }],
        },
    };
}

/**
 * Removes the drill's objects, including its snapshot's Job, which the restore brings back unfinished. Namespaces are
 * deleted asynchronously.
 */
export async function removeDrillObjects(api: ApiClient, before: readonly StoredObject[]): Promise<void> {
    const jobs = "/apis/batch/v1/namespaces/kube-system/jobs";
    const had = new Set(before.filter(({ kind }) => kind === "Job").map(({ metadata }) => metadata.name));
    const names = (await list<Job>(api, jobs)).map(({ metadata }) => metadata.name);
    for (const path of [
        `/api/v1/namespaces/${drillNamespace}`,
        `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/drills.${group}`,
        ...names
            .filter((name) => name.startsWith(`${snapshotCronJob}-`) && !had.has(name))
            .map((name) => `${jobs}/${name}?propagationPolicy=Background`),
    ]) {
        await api.call(path, { method: "DELETE" });
    }
}
