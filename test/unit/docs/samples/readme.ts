// As in the README, for the type check.
import { AwsCluster } from "../../../../index";

const cluster = new AwsCluster("blue", {
    domain: "example.com", // your Route 53 zone
    region: "eu-central-1",
    workerPools: [{ name: "default", count: 2 }],
});
export const kubeconfig = cluster.kubeconfig; // secret
