// A cluster, and a namespace, a Deployment and a Helm chart in it, in one program.
import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment";
import { Namespace } from "@pulumi/kubernetes/core/v1/namespace";
import { Release } from "@pulumi/kubernetes/helm/v3/release";
import { AwsCluster } from "../index";

const cluster = new AwsCluster("blue", {
    domain: "example.com",
    region: "eu-central-1",
    workerPools: [{ name: "default", count: 2 }],
});

// Created once the cluster is complete, and deleted before it.
const inCluster = { provider: cluster.provider };

const shop = new Namespace("shop", { metadata: { name: "shop" } }, inCluster);
const labels = { app: "web" };
new Deployment(
    "web",
    {
        metadata: { name: "web", namespace: shop.metadata.name },
        spec: {
            replicas: 2,
            selector: { matchLabels: labels },
            template: {
                metadata: { labels },
                spec: { containers: [{ name: "web", image: "docker.io/library/nginx:1.29.4" }] },
            },
        },
    },
    inCluster,
);
new Release(
    "podinfo",
    { chart: "oci://ghcr.io/stefanprodan/charts/podinfo", version: "6.9.4", namespace: shop.metadata.name },
    inCluster,
);

export const { kubeconfig, clusterIdentifier } = cluster;
