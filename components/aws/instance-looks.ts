import type { Allowance } from "./policy";

/** What agents may that ask EC2 for instances. It can't be limited to a cluster. */
export const instanceLooks: readonly Allowance[] = [{ actions: ["ec2:DescribeInstances"] }];
