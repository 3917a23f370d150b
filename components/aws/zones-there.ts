import { getAvailabilityZones } from "@pulumi/aws/getAvailabilityZones";
import type * as pulumi from "@pulumi/pulumi";
import { invalid } from "../cluster/validate";
import { checked, lookUp } from "../look-up";
import type { Aws } from "./resolve";
import type { ZoneLetter } from "./subnets";

/**
 * `(zone) => name` of an availability zone, once AWS has said that the region has all of the cluster's: some have two, letters are
 * left out, and an account made later does not see each.
 *
 * Whatever state a zone is in, it is there: one that is lost keeps nobody from an `up`.
 */
export function zonesThere(
    { region, zones }: Pick<Aws, "region" | "zones">,
    parent: pulumi.Resource | undefined,
): (zone: ZoneLetter) => pulumi.Output<string> {
    const asked = getAvailabilityZones({}, { parent });
    const legal = "a region whose zones the account may ask for";
    const there = lookUp(asked, "region", legal, region).names.apply((names) =>
        checked(() => requireThere(zones, lettersOf(region, names), region)),
    );
    return (zone) => there.apply(() => `${region}${zone}`);
}

function requireThere(zones: readonly ZoneLetter[], letters: readonly string[], region: string): void {
    if (letters.length === 0) throw invalid("region", "the one that the provider of AWS is configured for", region);
    const missing = zones.filter((zone) => !letters.includes(zone));
    if (missing.length === 0) return;
    throw invalid("zones", `of ${letters.join(", ")}, which this account has in ${region}`, zones);
}

/** Of whole zones: those of cities and of networks have longer names. */
function lettersOf(region: string, names: readonly string[]): string[] {
    return names.flatMap((name) => (name.slice(0, -1) === region ? [name.slice(-1)] : [])).sort();
}
