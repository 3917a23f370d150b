import type { Bundle } from "../../ignition";

/** What to upload, and to which machine. Read from standard input, since it contains keys. */
export interface Delivery {
    /**
     * URL of the API's load balancer, behind which the first controller waits, or of that controller:
     * `https://192.0.2.3:6443`.
     */
    readonly server: string;
    /** Name on the API's certificate. @default - the server's */
    readonly apiName?: string;
    /** Name of the first controller, for error messages. */
    readonly node: string;
    /** Name on the receiver's certificate. */
    readonly receiver: string;
    /** PEM of the Kubernetes CA, and an administrator's certificate and key. */
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
    readonly assets: Bundle;
    /** The only clients that may connect, in addition to nodes: IPv4 blocks. @default - everyone */
    readonly allowedCidrs?: readonly string[];
    /** @default - unknown */
    readonly console?: MachineConsole;
    /** Seconds from the start to the pivot. */
    readonly timeoutSeconds: number;
}

/** Where to read a machine's console, which reports problems that occur before anything listens. */
export interface MachineConsole {
    /** A command that shows it, or the place where it is shown. */
    readonly byHand: string;
    /** Where to fetch it from EC2. @default - it can only be read manually */
    readonly ec2?: { readonly region: string; readonly instanceId: string };
}
