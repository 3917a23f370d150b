// As in docs/package.md, for the type check.
import type { AwsDownloads } from "../../../../components/aws/downloads";
import { AwsCluster } from "../../../../index"; // or DigitalOceanCluster, LocalCluster

declare const downloads: AwsDownloads;

const cluster = new AwsCluster("blue", {
    domain: "example.com",
    region: "eu-central-1",
    kubernetesVersion: "1.36.3",
    workerPools: [{ name: "default", count: 2 }],
    downloads, // where machines fetch the kubelet and CNI plugins, with their checksums
});
export const kubeconfig = cluster.kubeconfig; // secret
