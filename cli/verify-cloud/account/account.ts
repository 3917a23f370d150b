import type { TargetHealth } from "../target-health";

/** A cloud account, as far as it shows what exists of a cluster, whatever a Pulumi state says. */
export interface Account {
    /** Identifies the account, not the credentials. */
    readonly id: string;
    /** What exists of the cluster by tags and names, as `<kind> <name>`. Rejects if any part of it cannot be listed. */
    readonly existing: () => Promise<string[]>;
    /** Health of the targets of the API's load balancers. @default the cloud does not report it */
    readonly targetHealth?: () => Promise<TargetHealth[]>;
    /** What the cloud says about launches of a pool's group, in a line. @default the stack creates its machines */
    readonly launches?: (pool: string) => Promise<string>;
}
