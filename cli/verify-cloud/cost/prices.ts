import type { CloudName } from "../../../cluster/clouds";

/** Monthly prices in US dollars. */
export interface Prices {
    /** By machine type or size. */
    readonly machines: Readonly<Record<string, number>>;
    /** One gigabyte of a volume. */
    readonly storage: number;
    readonly publicAddress: number;
    readonly natGateway: number;
    readonly loadBalancer: number;
    /** An interface endpoint in one zone. */
    readonly endpoint: number;
    readonly hostedZone: number;
}

/** Hours in a month, as in the clouds' calculators. */
const hours = 730;

/**
 * On-demand list prices, without taxes, free tiers, and usage-based prices: traffic, data processed by load balancers and NAT
 * gateways, requests and storage of buckets. Those of AWS are for US East (N. Virginia), regardless of the region.
 *
 * From archived copies of public material, retrieved on 2026-11-21, because the clouds' own price lists were not reachable.
 */
export const prices = {
    aws: {
        // github.com/aws/karpenter-provider-aws, zz_generated.pricing_aws.go: "generated at 2026-01-19 for us-east-1"
        machines: {
            "t3.small": 0.0208 * hours,
            "t3.medium": 0.0416 * hours,
            "t4g.medium": 0.0336 * hours,
        },
        // gp3, in AWS' price list: "$0.08 per GB-month of General Purpose (gp3) provisioned storage - US East (N. Virginia)",
        // as quoted in public repositories up to 2026.
        storage: 0.08,
        // AWS' price list AmazonVPC, version 20260831092232: "$0.005 per In-use public IPv4 address per hour"
        publicAddress: 0.005 * hours,
        // cloudburn.io/blog/aws-nat-gateway-pricing of 2026-02-24: $0.045/hour in US East
        natGateway: 0.045 * hours,
        // clustercost.com/blog/network-load-balancer-pricing-2025: $0.0225 per hour in us-east-1
        loadBalancer: 0.0225 * hours,
        // cloudcostkit.com/calculators/aws-vpc-interface-endpoint-cost-calculator of 2026-01-29: 4,378 endpoint-hours, $43.78
        endpoint: 0.01 * hours,
        // Route 53's price page, as quoted in github.com/api-evangelist/amazon-route53-resolver on 2026-09-20: "$0.50 per
        // hosted zone per month for the first 25 hosted zones"
        hostedZone: 0.5,
    },
    digitalocean: {
        // "New Monthly Price" of 2022-07-01, gist.github.com/colinwilson/cd31bde012f6727b24b2fc4ebee749c0, unchanged on
        // 2024-03-26, github.com/Hamerbyh/vpsprice
        machines: {
            "s-1vcpu-2gb": 12,
            "s-2vcpu-2gb": 18,
            "s-2vcpu-4gb": 24,
            "s-4vcpu-8gb": 48,
        },
        // github.com/kubernetes/kops/issues/4997 and adhdecode's guide to DigitalOcean's costs: $0.10 per GB
        storage: 0.1,
        publicAddress: 0,
        natGateway: 0,
        // One node; $12 in public repositories up to 2026. Archived copies of DigitalOcean's documentation from 2021 say $10.
        loadBalancer: 12,
        endpoint: 0,
        hostedZone: 0,
    },
} as const satisfies Record<CloudName, Prices>;
