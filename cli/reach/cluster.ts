import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Connection, connectionOf } from "../../clients/kubernetes/kubeconfig";
import type { RecoveryRecord } from "../../cluster/recovery";
import { invalidOption, UsageError } from "../../command-line/parse";
import { clusterName } from "../../local/options";
import { clusterState, localClusters, stateRoot } from "../../local/state";
import { ensureEngine, wake } from "../../machines";
import { type CloudStack, readCloudStack } from "./cloud-stack";
import { type Controller, localController } from "./controller";
import { parseSshOptions, type SshOptions, sshController, sshFlags } from "./ssh";
import { type Export, stackExport, stackRecord } from "./stack-record";

/** Which cluster a command is about, as the command line has it. */
export interface ClusterChoice {
    /** Of a cluster of this computer. */
    readonly name?: string;
    readonly kubeconfig?: string;
    readonly context?: string;
}

/** How to reach a cluster, whatever it is made of. */
export interface ClusterAccess {
    /** For people. */
    readonly name: string;
    /** Its name among the clusters of this computer, if it is one. */
    readonly local?: string;
    /** Undefined: a cluster of this computer whose kubeconfig is not written yet. */
    readonly connection?: Connection;
    readonly kubeconfig: string;
    /** A file where commands keep what they learned of the cluster, for when it does not answer. */
    readonly notes: string;
}

/**
 * The cluster that is meant: `--name`, `--kubeconfig`, `$KUBECONFIG`, else the only one of this computer.
 *
 * @throws UsageError that lists the clusters to choose from
 */
export function findCluster(choice: ClusterChoice, env: NodeJS.ProcessEnv = process.env): ClusterAccess {
    const { name, kubeconfig } = choice;
    if (name !== undefined && kubeconfig !== undefined) {
        throw invalidOption("--name", "given without --kubeconfig", name);
    }
    if (name !== undefined) {
        return localAccess(name, choice.context);
    }
    const fromEnvironment = env.KUBECONFIG?.split(delimiter).filter(Boolean) ?? [];
    if (kubeconfig === undefined && fromEnvironment.length > 1) {
        throw new UsageError("KUBECONFIG must be one file: give the one that is meant by --kubeconfig");
    }
    const path = kubeconfig ?? fromEnvironment[0];
    if (path !== undefined) {
        return fileAccess(path, kubeconfig === undefined ? "KUBECONFIG" : "--kubeconfig", choice.context);
    }
    const clusters = localClusters();
    if (clusters.length === 0) {
        throw new UsageError(
            "there is no cluster on this computer: give the kubeconfig of another by --kubeconfig FILE",
        );
    }
    if (clusters.length > 1) {
        throw new UsageError(`--name must say which cluster is meant: ${clusters.join(", ")}`);
    }
    return localAccess(clusters[0]!, choice.context);
}

function localAccess(name: string, context: string | undefined): ClusterAccess {
    const clusters = localClusters();
    if (!clusters.includes(name)) {
        const legal =
            clusters.length === 0
                ? "one of this computer's clusters, of which there is none"
                : `one of ${clusters.join(", ")}`;
        throw invalidOption("--name", legal, name);
    }
    const { kubeconfig, dir } = clusterState(name);
    const connection = existsSync(kubeconfig) ? connectionOf(kubeconfig, { context }) : undefined;
    return { name, local: name, connection, kubeconfig, notes: join(dir, "seen.json") };
}

function fileAccess(path: string, option: string, context: string | undefined): ClusterAccess {
    if (!existsSync(path)) {
        throw invalidOption(option, "a kubeconfig file", path);
    }
    const own = localClusters().find((name) => isSame(clusterState(name).kubeconfig, path));
    if (own !== undefined) {
        return localAccess(own, context);
    }
    let connection: Connection;
    try {
        connection = connectionOf(path, { context });
    } catch (error) {
        throw new UsageError(`${path}: ${(error as Error).message}`);
    }
    // The same cluster whatever the file is called, and another one if it was made anew.
    const id = createHash("sha256")
        .update(`${connection.server} ${connection.ca ?? ""}`)
        .digest("hex")
        .slice(0, 16);
    return {
        name: new URL(connection.server).hostname,
        connection,
        kubeconfig: path,
        notes: join(stateRoot(), ".seen", `${id}.json`),
    };
}

function isSame(one: string, other: string): boolean {
    return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}

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
function localMachines(cluster: string): ClusterMachines {
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

const string = { type: "string" } as const;

/** By which a command's line says which cluster is meant, as `parseArgs` takes them. */
export const clusterFlags = { ...sshFlags, name: string, kubeconfig: string, context: string };

type Values = Partial<Record<keyof typeof clusterFlags, string>>;

/** Checks them. Throws `--<option> must be <legal>, got <value>`. */
export function parseClusterOptions(values: Values): ClusterChoice & SshOptions {
    const { name, kubeconfig, context } = values;
    return {
        ...parseSshOptions(values),
        name: name === undefined ? undefined : clusterName(name),
        kubeconfig,
        context,
    };
}

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
