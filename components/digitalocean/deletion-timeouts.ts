import type * as pulumi from "@pulumi/pulumi";

/**
 * How long a droplet or a VPC may take to be deleted.
 *
 * The provider's default for a droplet is 60 seconds, 34 of which it waits itself; a kubelet alone takes up to 50 to end its pods.
 * A deletion that runs out of time leaves a droplet in the state that no longer exists, which the next destroy cannot delete.
 * Its default for a VPC is 2 minutes, for which a VPC may still count members that are deleted.
 */
export const deletionTimeouts: pulumi.CustomTimeouts = { delete: "15m" };
