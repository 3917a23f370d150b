import { isIPv4 } from "node:net";
import { isAbsolutePath, isText, readPlanFile } from "../../harness/plan";

/** What the reporter needs to know: `plan.json`. It holds no secret. */
export interface ReportPlan {
    /** Where the root of the host's file system is. */
    readonly root: string;
    /** The API's own, at which it stands in as long as there is none. */
    readonly port: number;
    /** Generations of kube-apiserver that may serve here, by the loopback addresses that each has for itself. */
    readonly apiservers: readonly string[];
    /** PEM files on the host: the Kubernetes CA, and the receiver's certificate and key. */
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
    /** Directories and files on the host, as the receiver has them, and where the bootstrap's manifests are. */
    readonly state: string;
    readonly staticPods: string;
    readonly kubeconfig: string;
    readonly manifests: string;
}

/** In the state directory: the bootstrap is over. */
export const pivotedFile = "pivoted";

/** In the state directory: the host is asked for the last lines of its units, and where it puts them. */
export const linesWantedFile = "last-lines-wanted";
export const linesFile = "last-lines";

/** In the state directory: other assets were unpacked, and their units are to be started anew. */
export const takenAnewFile = "taken-anew";

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
