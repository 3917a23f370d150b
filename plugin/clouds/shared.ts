import type { Input } from "@pulumi/pulumi";
import type {
    ControlPlaneSecretFiles,
    EtcdSnapshotSecrets,
    GivenKeys,
    KeyGenerations,
    LogHeaders,
} from "../../cluster/options";

// Options are those of the components, except for the one that Pulumi's schema cannot express: a list of values of two
// types. The name of its type is that of the component's, in every language.

export interface KeyOptions extends KeyGenerations {
    /**
     * Keys that encrypt Secrets in etcd, `plain` for none: `["plain", "1"]`, `["1", "plain"]` and `["1"]` turn
     * encryption on.
     */
    encryption?: string[];
}

/** Arguments on every cloud. */
export interface SharedArguments {
    keys?: KeyOptions;
    /** Credentials for `etcdSnapshots.s3`. */
    etcdSnapshotSecrets?: Input<EtcdSnapshotSecrets>;
    /** Contents of the secret files that `controlPlaneFiles` names. */
    controlPlaneSecretFiles?: Input<ControlPlaneSecretFiles>;
    /** The CAs and keys that `keys.given` names. */
    givenKeys?: Input<GivenKeys>;
    /** HTTP headers for the server of `logs`, by name: a token, or the name of a tenant. */
    logHeaders?: Input<LogHeaders>;
}
