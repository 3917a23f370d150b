// As in the README, for the type check.
import { AwsCluster } from "../../../../index";

const cluster = new AwsCluster("blue", {
    domain: "example.com", // your Route 53 zone
    region: "eu-central-1",
    kubernetesVersion: "1.36.3",
    workerPools: [{ name: "default", count: 2 }],
    // Where machines fetch these two from, with checksums.
    downloads: {
        kubelet: {
            urls: ["https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet"],
            sha256: "…", // what https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet.sha256 says
        },
        cniPlugins: {
            urls: [
                "https://github.com/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz",
            ],
            sha256: "b98f74a0f8522f0a83867178729c1aa70f2158f90c45a2ca8fa791db1c76b303",
        },
    },
});
export const kubeconfig = cluster.kubeconfig; // secret
