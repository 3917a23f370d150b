import { machineBlock6, parseCidr } from "../cluster/network/cidr";
import { resolveCluster } from "../cluster/resolve";
import { type ClusterNetwork, wake } from "../machines";
import { readConfig, type StackConfig } from "./stack-config";
import { clusterState } from "./state";

/** Starts the stopped containers of a local cluster. @returns whether any machine was started */
export function wakeCluster(name: string, say: (line: string) => void): Promise<boolean> {
    return wake(name, say, networkOf(name, readConfig(clusterState(name).config)));
}

/** The machines' network, as the stack creates it. Undefined before the first `npm start` has chosen a subnet. */
export function networkOf(name: string, config: StackConfig): ClusterNetwork | undefined {
    const subnet = config["tradewind:machineCidr"] as string | undefined;
    if (subnet === undefined) return undefined;
    const { zone } = resolveCluster({ name, domain: config["tradewind:domain"] as string | undefined });
    const isDual = config["tradewind:podCidr6"] !== undefined;
    return {
        cluster: name,
        subnet,
        ...(isDual && { subnet6: machineBlock6(parseCidr("machineCidr", subnet)).text }),
        domain: zone.slice(name.length + 1),
    };
}
