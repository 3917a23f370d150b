import type { Bucket } from "@pulumi/aws/s3/bucket";
import type * as pulumi from "@pulumi/pulumi";
import type { JoiningNodes } from "../../../cluster/machines/joining-configs";
import type { AwsAccount } from "../account";
import type { ConfigStore } from "../buckets";
import type { PoolIdentity } from "../iam/identity";
import type { Aws, AwsNetwork } from "../model";
import type { AwsSecurity } from "../network/security-groups";
import type { Tags } from "../tags";

/** Inputs of all machines. */
export interface AwsNodes extends JoiningNodes {
    readonly aws: Aws;
    readonly account: AwsAccount;
    /** AMI id of the pool. */
    readonly image: pulumi.Input<string>;
    readonly network: AwsNetwork;
    /**
     * Records of the API's name, which must exist before any machine: resolvers cache a negative answer, for a public
     * zone for 15 minutes. The name servers of a private zone only answer the VPC's resolver.
     */
    readonly apiNames: readonly pulumi.Resource[];
    /** Role and instance profile of the pool. */
    readonly identity: PoolIdentity;
    readonly security: AwsSecurity;
    readonly store: ConfigStore;
    /** Bucket of etcd snapshots. @default the stack creates none */
    readonly snapshotBucket?: Bucket;
    readonly tags: Tags;
}
