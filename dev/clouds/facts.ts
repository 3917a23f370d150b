import type { Manifest } from "../../cluster/manifest";
import type { Cluster } from "../../cluster/model";
import type { Contract } from "../contracts/contract";

/** What references and tests have to know of a cloud. */
export interface DocumentedCloud {
    /** Its Deployments and DaemonSets by name, with the contract of each container. */
    readonly workloads: Readonly<Record<string, Readonly<Record<string, Contract>>>>;
    /** Objects of a cluster with all options, for the permissions reference. */
    readonly manifests: (cluster: Cluster) => readonly Manifest[];
    /** Permissions of the user who runs Pulumi, by resource or function of the provider's package. */
    readonly operator: Readonly<Record<string, readonly string[]>>;
    /** Sections of the permissions reference. */
    readonly permissions: readonly string[];
}
