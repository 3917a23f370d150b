"""The cluster of aws-program.ts, from Python."""

import pulumi
import pulumi_tradewind as tradewind

cluster = tradewind.AwsCluster(
    "program",
    domain="example.com",
    region="eu-central-1",
    kubernetes_version="1.37.1",
    zones=["a", "b"],
    worker_pools=[{"name": "default", "count": 2, "spot": {}}],
    ingress={"allowed_cidrs": ["192.0.2.0/24"]},
)

pulumi.export("kubeconfig", cluster.kubeconfig)
pulumi.export("apiUrl", cluster.api_url)
pulumi.export("ingressName", cluster.ingress_name)
