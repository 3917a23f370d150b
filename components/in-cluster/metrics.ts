import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../../bundling/agents";
import type { MetricsCredentials, MetricsServerCredentials } from "../../cluster/keys/credentials";
import type { Manifest } from "../../cluster/manifest";
import { metricsServer } from "../../cluster/manifests/addons/metrics-server";
import { prometheus } from "../../cluster/manifests/addons/prometheus";
import { metricsProxy } from "../../cluster/manifests/metrics-proxy";
import {
    type InCluster,
    type InClusterAfter,
    inCluster,
    type Put,
    putInOrder,
    rollout,
    waitFor,
} from "./kubernetes-object";

interface MetricsArgs extends InCluster {
    readonly metrics: pulumi.Output<MetricsCredentials>;
}

const none = { cert: "", key: "" };

/** Serves metrics on every node: docs/metrics.md. */
export const Metrics = inCluster("tradewind:index:Metrics", ({ cluster, metrics }: MetricsArgs, put) => {
    const program = bundleAgent("metrics-proxy");
    const manifests = metrics.apply((secrets) => metricsProxy(cluster, secrets, program));
    putIssued(put, metricsProxy(cluster, { metricsProxy: none }, program), manifests, rollout(cluster));
});

interface MetricsServerArgs extends InClusterAfter {
    readonly metricsServer: pulumi.Output<MetricsServerCredentials>;
}

/** Serves CPU and memory of nodes and pods as an API behind kube-apiserver. */
export const MetricsServer = inCluster(
    "tradewind:index:MetricsServer",
    ({ cluster, metricsServer: issued, after }: MetricsServerArgs, put) => {
        const manifests = issued.apply((secrets) => metricsServer(cluster, secrets));
        const shapes = metricsServer(cluster, { kubernetesCa: none, metricsServer: none });
        putIssued(put, shapes, manifests, rollout(cluster), after);
    },
);

/** Prometheus with alerts and a dashboard: docs/monitoring.md. */
export const Prometheus = inCluster("tradewind:index:Prometheus", ({ cluster, after }: InClusterAfter, put) => {
    putInOrder(put, prometheus(cluster), rollout(cluster), after);
});

/** Fields that contain something issued, or its hash, by kind: only known later. */
const issuedFields: Readonly<Record<string, string>> = {
    APIService: "spec",
    DaemonSet: "spec",
    Deployment: "spec",
    Secret: "data",
};

/**
 * Adds objects with issued contents. A workload waits for the objects before it, and an API for its pods: while
 * one is registered without a server, no namespace can be deleted.
 *
 * @param shapes - the same objects, without these contents
 * @param before - what workloads also wait for
 */
export function putIssued(
    put: Put,
    shapes: readonly Manifest[],
    manifests: pulumi.Output<readonly Manifest[]>,
    opts: pulumi.CustomResourceOptions,
    before: InClusterAfter["after"] = [],
): void {
    const needed: pulumi.Resource[] = [];
    const serving: pulumi.Resource[] = [];
    shapes.forEach((shape, index) => {
        const key = issuedFields[shape.kind];
        const value = manifests.apply((all) => (key ? all[index]?.[key] : undefined));
        const fields = key && { [key]: shape.kind === "Secret" ? value : pulumi.unsecret(value) };
        const isWorkload = ["DaemonSet", "Deployment"].includes(shape.kind);
        const isApi = shape.kind === "APIService";
        const dependsOn = isWorkload ? waitFor(before, [...needed]) : isApi ? [...serving] : [];
        const object = put(shape, { ...opts, dependsOn }, fields || {});
        // Pulumi waits until a Service has pods, so none may wait for it.
        (isWorkload || shape.kind === "Service" ? serving : needed).push(object);
    });
}
