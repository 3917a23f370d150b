import { isAbsolutePath, isText, isUrl, readPlanFile } from "../../harness/plan";

/** The receiver's plan: `plan.json`. It contains no secrets. */
export interface ReceiverPlan {
    /** The API as every node reaches it. If it presents a certificate of the CA, the cluster exists. */
    readonly apiServer: string;
    /** Path of the host's root file system. */
    readonly root: string;
    /** Port, on every address of the host. */
    readonly port: number;
    /** PEM files on the host: the Kubernetes CA, and this receiver's own certificate and key. */
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
    /** Directories and files on the host. */
    readonly state: string;
    readonly staticPods: string;
    /** The kubelet's own kubeconfig for joining a cluster: removed before the assets are installed. */
    readonly kubeconfig: string;
}

/** In the state directory: the assets are installed. Contains the names of the units to start, one per line. */
export const unpackedFile = "unpacked";

/** In the state directory: the hash of the installed assets. */
export const hashFile = "assets.sha256";

/** In the state directory: no more assets are accepted. */
export const settledFile = "receiver-settled";

export function readPlan(path: string): ReceiverPlan {
    return readPlanFile<ReceiverPlan>(path, (plan) => {
        const paths = ["root", "ca", "cert", "key", "state", "staticPods", "kubeconfig"] as const;
        return [
            ...(isUrl("https", plan.apiServer) ? [] : [`apiServer must be an https URL, got ${plan.apiServer}`]),
            ...(Number.isInteger(plan.port) ? [] : [`port must be a number, got ${plan.port}`]),
            ...paths
                .filter((name) => !isText(plan[name]) || !isAbsolutePath(plan[name]))
                .map((name) => `${name} must be an absolute path, got ${plan[name]}`),
        ];
    });
}
