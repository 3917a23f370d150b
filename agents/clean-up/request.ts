import type { CloudPlace } from "./leftover";

/** Where a cluster has what tells that it is being destroyed, and not only this program: a ConfigMap of `kube-system`. */
export const cleanUpMarker = "tradewind-clean-up";

/** What a cluster is rid of before its machines go, and how it is reached: standard input, since it holds a key. */
export interface CleanUpRequest {
    readonly cluster: string;
    /** URL of the API. */
    readonly server: string;
    /** PEM of the Kubernetes CA, and an administrator's certificate and key. */
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
    /** Whether a cloud controller makes load balancers of Services. */
    readonly hasLoadBalancers: boolean;
    /** Drivers whose volumes are the cluster's, as Kubernetes knows them. */
    readonly drivers: readonly string[];
    /** Commands that find, without the cluster, what it made in the cloud. */
    readonly findByHand: readonly string[];
    /** Where to look for it when the cluster is dead. @default - nobody looks: those of a stack that was made before this are told */
    readonly cloud?: CloudPlace;
    /** Seconds until an API that does not answer is given up. @default 60 */
    readonly apiSeconds?: number;
    /** Seconds for which a webhook or a policy may refuse every deletion. @default 60 */
    readonly admissionSeconds?: number;
    /** Seconds that it may take until all is gone. @default 900 */
    readonly timeoutSeconds?: number;
}
