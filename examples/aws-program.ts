// A cluster as part of your own program, instead of a stack's configuration.
import { AwsCluster } from "../index";

const kubelet = {
    urls: ["https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet"],
    // What https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet.sha256 says.
    sha256: "0000000000000000000000000000000000000000000000000000000000000000",
};
const cniPlugins = {
    urls: [
        "https://github.com/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz",
    ],
    sha256: "b98f74a0f8522f0a83867178729c1aa70f2158f90c45a2ca8fa791db1c76b303",
};

const cluster = new AwsCluster("program", {
    domain: "example.com",
    region: "eu-central-1",
    kubernetesVersion: "1.36.3",
    zones: ["a", "b"],
    workerPools: [{ name: "default", count: 2, spot: {} }],
    ingress: { allowedCidrs: ["192.0.2.0/24"] },
    downloads: { kubelet, cniPlugins },
});

export const { kubeconfig, apiUrl, ingressName } = cluster;
