import type { Volume } from "@pulumi/aws/ebs/volume";
import type * as pulumi from "@pulumi/pulumi";
import { checked } from "../look-up";
import type { Aws } from "./resolve";

type Places = Pick<Aws, "region" | "zones" | "existing">;

/** Refuses, in preview, options without the place where a controller is: its volume of etcd goes nowhere else. */
export function mustHaveHome(node: string, volume: Volume, aws: Places): pulumi.Output<string> {
    // The volume ignores changes of it, so that this is where it is.
    return volume.availabilityZone.apply((zone) => checked(() => requireHome(node, zone, aws)));
}

/** Throws `zones must hold c, where c-controller-2 is, got a, b`. */
export function requireHome(node: string, zone: string, { region, zones, existing }: Places): string {
    if (!zone.startsWith(region)) {
        throw new Error(`region must stay that of ${node}, which is in ${zone}, got ${region}: it is chosen once`);
    }
    const letter = zone.slice(region.length);
    if (!existing && !zones.some((each) => each === letter)) {
        throw new Error(`zones must hold ${letter}, where ${node} is, got ${zones.join(", ")}`);
    }
    return zone;
}
