import { isIPv4 } from "node:net";
import { isAbsolutePath, isText, readPlanFile } from "../../harness/plan";

/** The reporter's plan: `plan.json`. It contains no secrets. */
export interface ReportPlan {
    /** Path of the host's root file system. */
    readonly root: string;
    /** The API's own port, on which it listens until there is an API. */
    readonly port: number;
    /** Loopback addresses of the kube-apiserver generations that may serve here, one each. */
    readonly apiservers: readonly string[];
    /** PEM files on the host: the Kubernetes CA, and the receiver's certificate and key. */
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
    /** Directories and files on the host, as in the receiver's plan, and the directory of the bootstrap's manifests. */
    readonly state: string;
    readonly staticPods: string;
    readonly kubeconfig: string;
    readonly manifests: string;
}

/** In the state directory: the bootstrap is over. */
export const pivotedFile = "pivoted";

/** In the state directory: requests the last log lines of the host's units, and where the host writes them. */
export const linesWantedFile = "last-lines-wanted";
export const linesFile = "last-lines";

/** In the state directory: other assets were unpacked, and their units must be restarted. */
export const replacedAssetsFile = "taken-anew";

export function readPlan(path: string): ReportPlan {
    return readPlanFile<ReportPlan>(path, (plan) => {
        const paths = ["root", "ca", "cert", "key", "state", "staticPods", "kubeconfig", "manifests"] as const;
        const { port, apiservers } = plan;
        const areAddresses = Array.isArray(apiservers) && apiservers.length > 0 && apiservers.every(isLoopback);
        return [
            ...(Number.isInteger(port) ? [] : [`port must be a number, got ${port}`]),
            ...(areAddresses ? [] : [`apiservers must be loopback addresses, got ${JSON.stringify(apiservers)}`]),
            ...paths
                .filter((name) => !isText(plan[name]) || !isAbsolutePath(plan[name]))
                .map((name) => `${name} must be an absolute path, got ${plan[name]}`),
        ];
    });
}

function isLoopback(address: unknown): boolean {
    return isText(address) && isIPv4(address) && address.startsWith("127.");
}
