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
    /** @default - nobody knows */
    readonly console?: MachineConsole;
    /** Seconds from the start to the pivot. */
    readonly timeoutSeconds: number;
}

/** Where a machine's console is to be read, on which it tells what no listener of it can. */
export interface MachineConsole {
    /** A command that shows it, or the place where it is shown. */
    readonly byHand: string;
    /** Where EC2 is asked for it. @default - it is read by hand alone */
    readonly ec2?: { readonly region: string; readonly instanceId: string };
}
