import { isAbsolutePath, isText, isUrl, readPlanFile } from "../../harness/plan";

/** What the receiver needs to know: `plan.json`. It holds no secret. */
export interface ReceiverPlan {
    /** The API as every node reaches it: whoever answers there with a certificate of the CA is a cluster. */
    readonly apiServer: string;
    /** Where the root of the host's file system is. */
    readonly root: string;
    /** Port of every address of the host. */
    readonly port: number;
    /** PEM files on the host: the Kubernetes CA, and this receiver's own certificate and key. */
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
    /** Directories and files on the host. */
    readonly state: string;
    readonly staticPods: string;
    /** The kubelet's own access to a cluster: it goes before the assets come. */
    readonly kubeconfig: string;
}

/** In the state directory: the assets lie where they belong. It names the units to start, a line each. */
export const unpackedFile = "unpacked";

/** In the state directory: the hash of what was unpacked. */
export const hashFile = "assets.sha256";

/** In the state directory: no assets are to be taken any more. */
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
