import type { Credentials } from "./keys/credentials";
import type { ClusterOptions } from "./options";

/** What is needed to render a cluster's node files again: a secret of the cluster's component in the stack's state. */
export interface RecoveryRecord {
    /** Options of `resolveCluster`. */
    readonly options: ClusterOptions;
    /** Addresses, by node name. */
    readonly machines: Readonly<Record<string, string>>;
    readonly credentials: Credentials;
}
