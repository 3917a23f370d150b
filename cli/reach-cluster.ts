import { createHash } from "node:crypto";
import { join } from "node:path";
import { connectionOf } from "../simulator/kubernetes/kubeconfig";
import { type ClusterAccess, type ClusterChoice, findCluster } from "./cluster-access";
import { type ClusterMachines, localMachines, sshMachines } from "./cluster-machines";
import { type Export, stackExport } from "./recover/stack-record";
import { readCloudStack } from "./ssh/cloud-stack";
import type { SshOptions } from "./ssh/options";
import { clusterState, stateRoot } from "./state";
import { invalidOption } from "./usage-error";

export interface ReachedCluster {
    readonly access: ClusterAccess;
    /** @default it is known by its kubeconfig alone */
    readonly machines?: ClusterMachines;
    /** Reads the state of its stack, with the secrets in plain text. @default it is known by its kubeconfig alone */
    readonly state?: () => Promise<Export>;
}

/** The cluster that is meant, by its API and by its machines. */
export async function reachCluster(choice: ClusterChoice & SshOptions): Promise<ReachedCluster> {
    const { stack, name, kubeconfig, context } = choice;
    if (stack === undefined) {
        const access = findCluster(choice);
        const { local } = access;
        return local === undefined
            ? { access }
            : { access, machines: localMachines(local), state: () => stackExport(clusterState(local)) };
    }
    if (name !== undefined) throw invalidOption("--stack", "given without --name", stack);
    if (kubeconfig !== undefined) throw invalidOption("--stack", "given without --kubeconfig", stack);
    const cloud = await readCloudStack(stack);
    const connection = cloud.kubeconfig === undefined ? undefined : connectionOf(cloud.kubeconfig, { context });
    const { kubernetesCa } = cloud.record.credentials;
    const id = createHash("sha256").update(kubernetesCa.cert).digest("hex").slice(0, 16);
    return {
        access: {
            name: cloud.record.options.name,
            connection,
            kubeconfig: `kubeconfig in the stack ${stack}`,
            notes: join(stateRoot(), ".seen", `${id}.json`),
        },
        machines: sshMachines(cloud, choice),
        state: async () => cloud.exported,
    };
}
