// The cluster of aws-program.ts, from Go.
package main

import (
	"example.com/pulumi-tradewind/sdk/go/tradewind"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cluster, err := tradewind.NewAwsCluster(ctx, "program", &tradewind.AwsClusterArgs{
			Domain:            "example.com",
			Region:            "eu-central-1",
			KubernetesVersion: pulumi.StringRef("1.36.3"),
			Zones:             []string{"a", "b"},
			WorkerPools: []tradewind.AwsPoolOptionsArgs{{
				Name:  "default",
				Count: pulumi.Float64Ref(2), // whole, though Pulumi's schema has but one type of numbers for components
				Spot:  &tradewind.AwsSpotOptionsArgs{},
			}},
			Ingress: &tradewind.AwsIngressOptionsArgs{AllowedCidrs: []string{"192.0.2.0/24"}},
			Downloads: tradewind.AwsDownloadsArgs{
				Kubelet: &tradewind.DownloadArgs{
					Urls: []string{"https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet"},
					// What https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet.sha256 says.
					Sha256: "0000000000000000000000000000000000000000000000000000000000000000",
				},
				CniPlugins: &tradewind.DownloadArgs{
					Urls: []string{
						"https://github.com/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz",
					},
					Sha256: "b98f74a0f8522f0a83867178729c1aa70f2158f90c45a2ca8fa791db1c76b303",
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("kubeconfig", cluster.Kubeconfig)
		ctx.Export("apiUrl", cluster.ApiUrl)
		ctx.Export("ingressName", cluster.IngressName)
		return nil
	})
}
