"""The cluster of aws-program.ts, from Python."""

import pulumi
import pulumi_tradewind as tradewind

cluster = tradewind.AwsCluster(
    "program",
    domain="example.com",
    region="eu-central-1",
    kubernetes_version="1.36.3",
    zones=["a", "b"],
    worker_pools=[{"name": "default", "count": 2, "spot": {}}],
    ingress={"allowed_cidrs": ["192.0.2.0/24"]},
    downloads={
        "kubelet": {
            "urls": ["https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet"],
            # From https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet.sha256.
            "sha256": "0000000000000000000000000000000000000000000000000000000000000000",
        },
        "cni_plugins": {
            "urls": [
                "https://github.com/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz"
            ],
            "sha256": "b98f74a0f8522f0a83867178729c1aa70f2158f90c45a2ca8fa791db1c76b303",
        },
    },
)

pulumi.export("kubeconfig", cluster.kubeconfig)
pulumi.export("apiUrl", cluster.api_url)
pulumi.export("ingressName", cluster.ingress_name)
