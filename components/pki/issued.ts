import type * as pulumi from "@pulumi/pulumi";
import type {
    AdministratorCredentials,
    ApproverCredentials,
    Credentials,
    LastingCredentials,
    MetricsCredentials,
    MetricsServerCredentials,
} from "../../cluster/keys/credentials";
import type { TokenHolder } from "../../cluster/manifests/nodes/bootstrap-tokens";

/** A bootstrap token. Secret. */
export interface IssuedToken extends TokenHolder {
    readonly token: pulumi.Output<string>;
    /** When it expires: RFC 3339. @default - never */
    readonly end?: pulumi.Output<string>;
}

/** Addresses of a cluster's servers. */
export interface PkiAddresses {
    /** Controllers by name and address, then those that may become one. */
    readonly controllers: readonly { readonly name: string; readonly address: pulumi.Input<string> }[];
    /** The arbiter, which needs a member's certificate only. @default none */
    readonly arbiter?: PkiAddresses["controllers"][number];
    /** Further addresses of the API, such as a load balancer's. */
    readonly apiAddresses: readonly pulumi.Input<string>[];
}

/** What is issued once the addresses are known. */
export interface IssuedPki {
    readonly credentials: pulumi.Output<Credentials>;
    /** Credentials that are known at preview when a pool is added. */
    readonly lasting: pulumi.Output<LastingCredentials>;
    /** For the output `kubeconfig`. Known at preview when the cluster's own certificates are reissued. */
    readonly administrator: pulumi.Output<AdministratorCredentials>;
    readonly approver: pulumi.Output<ApproverCredentials>;
    /** @default - metrics are not served */
    readonly metrics?: pulumi.Output<MetricsCredentials>;
    /** @default - there is no metrics-server */
    readonly metricsServer?: pulumi.Output<MetricsServerCredentials>;
    /**
     * For the stack itself. It only trusts CAs that are known at preview; otherwise a preview of a new CA
     * could not connect to the cluster.
     */
    readonly access: pulumi.Output<AdministratorCredentials>;
    /** Keys that encrypt etcd snapshots in a store, by generation. Separate, so that a new one does not affect others. */
    readonly snapshotKeys: pulumi.Output<Readonly<Record<number, string>>>;
    /** Expiry of each certificate by name: RFC 3339. */
    readonly expiry: pulumi.Output<Record<string, string>>;
}
