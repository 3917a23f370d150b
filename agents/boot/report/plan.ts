import { isIPv4 } from "node:net";
import * as v from "valibot";
import { absolutePath, object, port } from "../../harness/plan";

export const planSchema = object({
    /** Path of the host's root file system. */
    root: absolutePath,
    /** The API's own port, on which it listens until there is an API. */
    port,
    /** Loopback addresses of the kube-apiserver generations that may serve here, one each. */
    apiservers: v.custom<readonly string[]>(
        (addresses) => Array.isArray(addresses) && addresses.length > 0 && addresses.every(isLoopback),
        "loopback addresses",
    ),
    /** PEM files on the host: the Kubernetes CA, and the receiver's certificate and key. */
    ca: absolutePath,
    cert: absolutePath,
    key: absolutePath,
    /** Directories and files on the host, as in the receiver's plan, and the directory of the bootstrap's manifests. */
    state: absolutePath,
    staticPods: absolutePath,
    kubeconfig: absolutePath,
    manifests: absolutePath,
});

/** The reporter's plan: `plan.json`. It contains no secrets. */
export type ReportPlan = v.InferOutput<typeof planSchema>;

/** In the state directory: the bootstrap is over. */
export const pivotedFile = "pivoted";

/** In the state directory: requests the last log lines of the host's units, and where the host writes them. */
export const linesRequestedFile = "last-lines-requested";
export const linesFile = "last-lines";

/** In the state directory: other assets were unpacked, and their units must be restarted. */
export const replacedAssetsFile = "assets-replaced";

function isLoopback(address: unknown): boolean {
    return typeof address === "string" && isIPv4(address) && address.startsWith("127.");
}
