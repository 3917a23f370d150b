import type { ApiClient } from "../../agents/common/api-client";
import { ifFound } from "../../agents/common/api-error";
import type { Cluster, Network } from "../cluster/model";

interface DaemonSet {
    readonly spec?: {
        readonly template: {
            readonly spec: { readonly containers: readonly { readonly command?: readonly string[] }[] };
        };
    };
}

/** The flags of the control plane that took a cluster's blocks when it was made: those options', IPv4 first. */
const flags = {
    "cluster-cidr": ["podCidr", "podCidr6"],
    "service-cluster-ip-range": ["serviceCidr", "serviceCidr6"],
} as const;

/** Why the cluster can't have these networks, if so: nodes and Services keep the addresses that they have. */
export async function networkProblem(api: ApiClient, { network }: Cluster): Promise<string | undefined> {
    const path = "/apis/apps/v1/namespaces/kube-system/daemonsets/kube-controller-manager";
    const set = await ifFound(api.call<DaemonSet>(path));
    const command = set?.spec?.template.spec.containers.flatMap((each) => each.command ?? []) ?? [];
    return changedBlock(command, network);
}

/** @param command - of kube-controller-manager as it was last told */
export function changedBlock(
    command: readonly string[],
    network: Pick<Network, "podCidr" | "serviceCidr" | "podCidr6" | "serviceCidr6">,
): string | undefined {
    for (const [flag, options] of Object.entries(flags)) {
        const prefix = `--${flag}=`;
        const told = command.find((each) => each.startsWith(prefix))?.slice(prefix.length);
        for (const [index, option] of options.entries()) {
            const has = told?.split(",")[index] ?? "none";
            const wanted = network[option]?.text ?? "none";
            if (told !== undefined && has !== wanted) {
                return `network.${option} must stay ${has}, got ${wanted}: it is chosen once`;
            }
        }
    }
    return undefined;
}
