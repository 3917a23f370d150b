// As in docs/package.md, for the type check.
import { AwsCluster } from "../../../../index"; // or DigitalOceanCluster, LocalCluster

const cluster = new AwsCluster("blue", {
    domain: "example.com",
    region: "eu-central-1",
    kubernetesVersion: "1.37.1",
    workerPools: [{ name: "default", count: 2 }],
});
export const kubeconfig = cluster.kubeconfig; // secret
