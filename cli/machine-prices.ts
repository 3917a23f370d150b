/** Hours of an average month. */
export const monthlyHours = 730;

/** US dollars a month of machine types, without disks. Those on AWS are for US East (N. Virginia). */
export const machinePrices = {
    // github.com/aws/karpenter-provider-aws, zz_generated.pricing_aws.go: "generated at 2026-01-19 for us-east-1"
    aws: {
        "t3.small": 0.0208 * monthlyHours,
        "t3.medium": 0.0416 * monthlyHours,
        "t4g.medium": 0.0336 * monthlyHours,
    },
    // "New Monthly Price" of 2022-07-01, gist.github.com/colinwilson/cd31bde012f6727b24b2fc4ebee749c0, unchanged on
    // 2024-03-26, github.com/Hamerbyh/vpsprice
    digitalocean: {
        "s-1vcpu-2gb": 12,
        "s-2vcpu-2gb": 18,
        "s-2vcpu-4gb": 24,
        "s-4vcpu-8gb": 48,
    },
} as const;
