import * as pulumi from "@pulumi/pulumi";
import type { Credentials } from "../../cluster/keys/credentials";
import type { ClusterOptions } from "../../cluster/options";
import type { RecoveryRecord } from "../../cluster/recovery";

export interface RecoveryArgs {
    readonly options: ClusterOptions;
    /** Addresses, by node name. */
    readonly machines: Readonly<Record<string, pulumi.Input<string>>>;
    readonly credentials: pulumi.Output<Credentials>;
}

/** An output of the cluster's component, stored in the state only: the stack's outputs do not contain it. */
export function recoveryRecord({ options, machines, credentials }: RecoveryArgs): pulumi.Output<RecoveryRecord> {
    return pulumi.secret(
        pulumi
            .all([pulumi.output(machines), credentials])
            .apply(([addresses, secrets]) => ({ options, machines: addresses, credentials: secrets })),
    );
}
