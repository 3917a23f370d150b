import type { Credentials } from "./keys/credentials";
import type { ClusterOptions } from "./options";

/** What it takes to render a cluster's node files again: kept as a secret in the stack's state, by the cluster's component. */
export interface RecoveryRecord {
    /** Of `resolveCluster`. */
    readonly options: ClusterOptions;
    /** Addresses, by node name. */
    readonly machines: Readonly<Record<string, string>>;
    readonly credentials: Credentials;
}
