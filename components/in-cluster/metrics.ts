import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../../bundling/agents";
import type { MetricsCredentials } from "../../cluster/keys/credentials";
import { metricsProxy } from "../../cluster/manifests/metrics-proxy";
import { type InCluster, inCluster, rollout } from "./kubernetes-object";

interface MetricsArgs extends InCluster {
    readonly metrics: pulumi.Output<MetricsCredentials>;
}

const placeholder: MetricsCredentials = { metricsProxy: { cert: "", key: "" } };

/** Serves metrics on every node: docs/metrics.md. */
export const Metrics = inCluster("tradewind:index:Metrics", ({ cluster, metrics }: MetricsArgs, put) => {
    const program = bundleAgent("metrics-proxy");
    const manifests = metrics.apply((secrets) => metricsProxy(cluster, secrets, program));
    const before: pulumi.Resource[] = [];
    metricsProxy(cluster, placeholder, program).forEach((shape, index) => {
        const field = (key: string) => manifests.apply((all) => all[index]?.[key]);
        const isDaemonSet = shape.kind === "DaemonSet";
        // Objects that contain the certificate or its hash are only known later.
        const fields = {
            ...(shape.kind === "Secret" && { data: field("data") }),
            ...(isDaemonSet && { spec: pulumi.unsecret(field("spec")) }),
        };
        const object = put(shape, { ...rollout(cluster), dependsOn: isDaemonSet ? [...before] : [] }, fields);
        if (!isDaemonSet) before.push(object);
    });
});
