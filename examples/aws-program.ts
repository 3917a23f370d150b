// A cluster as part of your own program, instead of a stack's configuration.
import { AwsCluster } from "../index";

const cluster = new AwsCluster("program", {
    domain: "example.com",
    region: "eu-central-1",
    kubernetesVersion: "1.37.1",
    zones: ["a", "b"],
    workerPools: [{ name: "default", count: 2, spot: {} }],
    ingress: { allowedCidrs: ["192.0.2.0/24"] },
});

export const { kubeconfig, apiUrl, ingressName } = cluster;
