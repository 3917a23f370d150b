import type { ApiClient } from "../../agents/common/api-client";
import { ifFound } from "../../agents/common/api-error";
import type { Cluster } from "../cluster/model";

interface DaemonSet {
    readonly spec?: {
        readonly template: {
            readonly spec: { readonly containers: readonly { readonly command?: readonly string[] }[] };
        };
    };
}

/** The flags of the control plane that took a cluster's blocks when it was made, by the option. */
const flags = { "network.podCidr": "cluster-cidr", "network.serviceCidr": "service-cluster-ip-range" } as const;

/** Why the cluster can't have these networks, if so: nodes and Services keep the addresses that they have. */
export async function networkProblem(api: ApiClient, { network }: Cluster): Promise<string | undefined> {
    const path = "/apis/apps/v1/namespaces/kube-system/daemonsets/kube-controller-manager";
    const set = await ifFound(api.call<DaemonSet>(path));
    const command = set?.spec?.template.spec.containers.flatMap((each) => each.command ?? []) ?? [];
    return changedBlock(command, {
        "network.podCidr": network.podCidr.text,
        "network.serviceCidr": network.serviceCidr.text,
    });
}

/** @param command - of kube-controller-manager as it was last told */
export function changedBlock(
    command: readonly string[],
    wanted: Readonly<Record<keyof typeof flags, string>>,
): string | undefined {
    for (const [option, flag] of Object.entries(flags) as [keyof typeof flags, string][]) {
        const prefix = `--${flag}=`;
        const told = command.find((each) => each.startsWith(prefix))?.slice(prefix.length);
        if (told !== undefined && told !== wanted[option]) {
            return `${option} must stay ${told}, got ${wanted[option]}: it is chosen once`;
        }
    }
    return undefined;
}
