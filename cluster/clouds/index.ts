import { aws } from "./aws";
import { digitalocean } from "./digitalocean";
import type { CloudFacts } from "./facts";

/** Every cloud but `local`. Records by `CloudName` in other files do not compile without an entry for each. */
const registry = { aws, digitalocean };

export type CloudName = keyof typeof registry;

export const clouds: Readonly<Record<CloudName, CloudFacts>> = registry;
export const cloudNames = Object.keys(registry) as CloudName[];
export const allClouds: readonly CloudFacts[] = Object.values(registry);

/** @returns undefined for a name that is none of a cloud */
export function cloudOf(name: string): CloudFacts | undefined {
    return Object.hasOwn(registry, name) ? registry[name as CloudName] : undefined;
}
