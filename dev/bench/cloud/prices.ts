/** What a month of each costs, in US dollars. */
export interface Prices {
    /** By type or size. */
    readonly machines: Readonly<Record<string, number>>;
    /** A gigabyte of a volume. */
    readonly storage: number;
    readonly publicAddress: number;
    readonly natGateway: number;
    readonly loadBalancer: number;
    /** An interface endpoint, in one zone. */
    readonly endpoint: number;
    readonly hostedZone: number;
}

/** Hours in a month, as clouds' own calculators have it. */
const hours = 730;

/**
 * List prices, on demand, without taxes, free tiers, and all that depends on use: traffic, what load balancers and NAT
 * gateways pass on, requests and storage of buckets. AWS' are those of US East (N. Virginia), whatever the region.
 *
 * From stored copies of public material, looked up on 2026-11-21, as none of the clouds' price lists could be reached.
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
        // as public repositories quote it up to 2026.
        storage: 0.08,
        // AWS' price list AmazonVPC, version 20260831092232: "$0.005 per In-use public IPv4 address per hour"
        publicAddress: 0.005 * hours,
        // cloudburn.io/blog/aws-nat-gateway-pricing of 2026-02-24: $0.045/hour in US East
        natGateway: 0.045 * hours,
        // clustercost.com/blog/network-load-balancer-pricing-2025: $0.0225 per hour in us-east-1
        loadBalancer: 0.0225 * hours,
        // cloudcostkit.com/calculators/aws-vpc-interface-endpoint-cost-calculator of 2026-01-29: 4,378 endpoint-hours, $43.78
        endpoint: 0.01 * hours,
        // Route 53's page of prices, as github.com/api-evangelist/amazon-route53-resolver quotes it on 2026-09-20: "$0.50 per
        // hosted zone per month for the first 25 hosted zones"
        hostedZone: 0.5,
    },
    digitalocean: {
        // "New Monthly Price" of 2022-07-01, gist.github.com/colinwilson/cd31bde012f6727b24b2fc4ebee749c0, and still so on
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
        // Of one node; $12 in public repositories up to 2026. Stored copies of DigitalOcean's documentation of 2021 have $10.
        loadBalancer: 12,
        endpoint: 0,
        hostedZone: 0,
    },
} as const satisfies Record<string, Prices>;

export type CloudName = keyof typeof prices;
