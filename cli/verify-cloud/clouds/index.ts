import type { CloudName } from "../../../cluster/clouds";
import { aws } from "./aws";
import { digitalocean } from "./digitalocean";
import type { VerifiedCloud } from "./facts";

/**
 * What the command has to know of each cloud.
 *
 * Prices are on-demand list prices, without taxes, free tiers, and usage-based prices: traffic, data processed by load
 * balancers and NAT gateways, requests and storage of buckets. They are from archived copies of public material, retrieved
 * on 2026-11-21, because the clouds' own price lists were not reachable.
 */
export const verified: Readonly<Record<CloudName, VerifiedCloud>> = { aws, digitalocean };
