import type { Group } from "@pulumi/aws/autoscaling/group";
import { LifecycleHook } from "@pulumi/aws/autoscaling/lifecycleHook";
import type * as pulumi from "@pulumi/pulumi";
import { metadataService } from "../../agents/common/aws-metadata";
import { serviceUrl } from "../../agents/common/aws-query";
import type { Departures } from "../cluster/machine-groups";
import { type Allowance, arnsIn } from "./policy";
import type { AwsPool } from "./pools";

/** Where a pool's group is. */
interface Place {
    readonly cluster: string;
    readonly pool: string;
    readonly region: string;
}

/** Of a pool's Auto Scaling group. */
export const groupName = ({ cluster, pool }: Pick<Place, "cluster" | "pool">) => `${cluster}-${pool}`;
const hookName = (group: string) => `${group}-drain`;

/** How a pool's instances hear that they go, and whom they tell that their nodes are drained. */
export function departuresOf(place: Place): Departures {
    const [name, { region }] = [groupName(place), place];
    const group = { name, hook: hookName(name), region, service: serviceUrl("autoscaling", region) };
    return { noticesFrom: metadataService, group };
}

/** What instances of a pool may do for that: to their own group alone. */
export function releaseRights(place: Place): Allowance {
    return {
        actions: ["autoscaling:CompleteLifecycleAction"],
        resources: [arnsIn("autoscaling", place.region)(`autoScalingGroup:*:autoScalingGroupName/${groupName(place)}`)],
    };
}

/**
 * Has a group wait with an instance that it ends until its node is drained: in a refresh, with fewer instances, for another zone,
 * and in the place of one that is likely to be taken away.
 *
 * Of its own, so that groups that were made without get it too; and a cluster that is destroyed has none any more when its groups end
 * what they have.
 */
export function createDrainHook(
    group: Group,
    resource: string,
    { drainSeconds }: Pick<AwsPool, "drainSeconds">,
    opts: pulumi.CustomResourceOptions,
): LifecycleHook {
    const name = hookName(resource);
    return new LifecycleHook(
        name,
        {
            name,
            autoscalingGroupName: group.name,
            lifecycleTransition: "autoscaling:EC2_INSTANCE_TERMINATING",
            heartbeatTimeout: drainSeconds,
            defaultResult: "CONTINUE",
        },
        { ...opts, deleteBeforeReplace: true },
    );
}
