import type { RecoveryRecord } from "../components/cluster/recovery";
import { ensureEngine, wake } from "../machines";
import { type Controller, localController } from "./recover/controller";
import { stackRecord } from "./recover/stack-record";
import type { CloudStack } from "./ssh/cloud-stack";
import { sshController } from "./ssh/controller";
import type { SshOptions } from "./ssh/options";
import { clusterState } from "./state";

/** The machines of a cluster whose stack is known, reached without its API. */
export interface ClusterMachines {
    /** What of a command line says that this cluster is meant. */
    readonly choice: string;
    /** Whether the cluster has machines whose names its stack does not know. */
    readonly hasOtherNodes: boolean;
    /** What the stack's state has of the cluster. */
    record(): Promise<RecoveryRecord>;
    /** Makes sure that machines can be reached at all. */
    ready(): Promise<void>;
    /** Starts those that stand still, where that is ours to do. */
    wake(say: (line: string) => void): Promise<unknown>;
    /** @param timeout - milliseconds that a script may take. @default none */
    controller(name: string, timeout?: number): Controller;
}

/** Containers of this computer. */
export function localMachines(cluster: string): ClusterMachines {
    return {
        choice: `--name ${cluster}`,
        hasOtherNodes: false,
        record: () => stackRecord(clusterState(cluster)),
        ready: async () => {
            await ensureEngine();
        },
        wake: (say) => wake(cluster, say),
        controller: (name) => localController(cluster, name),
    };
}

/** Machines of a cloud, by SSH. */
export function sshMachines(
    { name, record, addresses, hasOtherNodes }: CloudStack,
    options: SshOptions,
): ClusterMachines {
    const { sshUser = "core", sshKey, sshAddresses = {} } = options;
    const given = [
        ...(options.sshUser ? [`--ssh-user ${options.sshUser}`] : []),
        ...(sshKey ? [`--ssh-key ${sshKey}`] : []),
        ...Object.entries(sshAddresses).map(([node, host]) => `--ssh-address ${node}=${host}`),
    ];
    return {
        choice: [`--stack ${name}`, ...given].join(" "),
        hasOtherNodes,
        record: async () => record,
        ready: async () => {},
        wake: async () => {},
        controller(node, timeout) {
            const address = sshAddresses[node] ?? addresses[node];
            if (address === undefined) {
                throw new Error(`the state of the stack ${name} has no address of ${node}: give it by --ssh-address`);
            }
            return sshController({ name: node, address, user: sshUser, key: sshKey, timeout });
        },
    };
}
