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
			KubernetesVersion: pulumi.StringRef("1.37.1"),
			Zones:             []string{"a", "b"},
			WorkerPools: []tradewind.AwsPoolOptionsArgs{{
				Name:  "default",
				Count: pulumi.Float64Ref(2), // whole, though Pulumi's schema has but one type of numbers for components
				Spot:  &tradewind.AwsSpotOptionsArgs{},
			}},
			Ingress: &tradewind.AwsIngressOptionsArgs{AllowedCidrs: []string{"192.0.2.0/24"}},
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
