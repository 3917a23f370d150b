import type { CloudPlace } from "./clouds";

/**
 * The ConfigMap in `kube-system` that marks a cluster whose destroy was requested, so that not only this program knows
 * of it.
 */
export const cleanUpMarker = "tradewind-clean-up";

/**
 * How to reach a cluster, and what to delete before its machines. Read from standard input, since it contains a key.
 */
export interface CleanUpRequest {
    readonly cluster: string;
    /** URL of the API. */
    readonly server: string;
    /** PEM of the Kubernetes CA, and an administrator's certificate and key. */
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
    /** Whether a cloud controller creates load balancers for Services. */
    readonly hasLoadBalancers: boolean;
    /** CSI drivers whose volumes belong to the cluster. */
    readonly drivers: readonly string[];
    /** Commands that list, without the cluster, what it created in the cloud. */
    readonly findByHand: readonly string[];
    /** Where to find it if the cluster is dead. @default - not searched: only the commands are printed */
    readonly cloud?: CloudPlace;
    /** Seconds until an API that does not answer is given up. @default 60 */
    readonly apiSeconds?: number;
    /** Seconds for which a webhook or a policy may refuse every deletion. @default 60 */
    readonly admissionSeconds?: number;
    /** Timeout of the whole deletion in seconds. @default 900 */
    readonly timeoutSeconds?: number;
}
