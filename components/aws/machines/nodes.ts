import type { Bucket } from "@pulumi/aws/s3/bucket";
import type * as pulumi from "@pulumi/pulumi";
import type { JoiningNodes } from "../../../cluster/machines/joining-configs";
import type { ConfigStore } from "../buckets";
import type { Aws, AwsNetwork } from "../model";
import type { AwsSecurity } from "../network/security-groups";
import type { Tags } from "../tags";

/** What machines are made of. */
export interface AwsNodes extends JoiningNodes {
    readonly aws: Aws;
    /** Id of the pool's AMI. */
    readonly image: pulumi.Input<string>;
    readonly network: AwsNetwork;
    /**
     * The API's name, without which no machine is made: one that is asked for too early stays missing for resolvers, of a
     * public zone for 15 minutes. A private zone's own name servers answer only the VPC's resolver.
     */
    readonly apiNames: readonly pulumi.Resource[];
    readonly security: AwsSecurity;
    readonly store: ConfigStore;
    /** That of etcd's snapshots. @default the stack makes none */
    readonly snapshotBucket?: Bucket;
    readonly tags: Tags;
}
