import type * as v from "valibot";
import { absolutePath, object, port, url } from "../../harness/plan";

export const planSchema = object({
    /** The API as every node reaches it. If it presents a certificate of the CA, the cluster exists. */
    apiServer: url("https"),
    /** Path of the host's root file system. */
    root: absolutePath,
    /** Port, on every address of the host. */
    port,
    /** PEM files on the host: the Kubernetes CA, and this receiver's own certificate and key. */
    ca: absolutePath,
    cert: absolutePath,
    key: absolutePath,
    /** Directories and files on the host. */
    state: absolutePath,
    staticPods: absolutePath,
    /** The kubelet's own kubeconfig for joining a cluster: removed before the assets are installed. */
    kubeconfig: absolutePath,
});

/** The receiver's plan: `plan.json`. It contains no secrets. */
export type ReceiverPlan = v.InferOutput<typeof planSchema>;

/** In the state directory: the assets are installed. Contains the names of the units to start, one per line. */
export const unpackedFile = "unpacked";

/** In the state directory: the hash of the installed assets. */
export const hashFile = "assets.sha256";

/** In the state directory: no more assets are accepted. */
export const settledFile = "receiver-settled";
