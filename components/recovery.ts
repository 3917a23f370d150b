import * as pulumi from "@pulumi/pulumi";
import type { Credentials } from "./cluster/credentials";
import type { ClusterOptions } from "./cluster/options";
import type { RecoveryRecord } from "./cluster/recovery";

export interface RecoveryArgs {
    readonly options: ClusterOptions;
    /** Addresses, by node name. */
    readonly machines: Readonly<Record<string, string>>;
    readonly credentials: pulumi.Output<Credentials>;
}

/** An output of a cluster's component, in the state alone: the stack's own outputs do not show it. */
export function recoveryRecord({ options, machines, credentials }: RecoveryArgs): pulumi.Output<RecoveryRecord> {
    return pulumi.secret(credentials.apply((secrets) => ({ options, machines, credentials: secrets })));
}
