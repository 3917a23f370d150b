import type { Bundle } from "../../ignition";

/** What is brought, and to whom: standard input of the program, since it holds keys. */
export interface Delivery {
    /** URL of the API's load balancer, behind which the first controller waits, or its own: `https://192.0.2.3:6443`. */
    readonly server: string;
    /** Name on the API's certificate. @default - the server's */
    readonly apiName?: string;
    /** The first controller, by which an error names it. */
    readonly node: string;
    /** Name on the receiver's certificate. */
    readonly receiver: string;
    /** PEM of the Kubernetes CA, and an administrator's certificate and key. */
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
    readonly assets: Bundle;
    /** Seconds from the start to the pivot. */
    readonly timeoutSeconds: number;
}
