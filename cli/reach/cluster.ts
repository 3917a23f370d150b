import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Connection, connectionOf } from "../../clients/kubernetes/kubeconfig";
import { invalidOption, UsageError, under, type Values, value } from "../../command-line/parse";
import { launchesHere } from "../../components/aws/machines/launches";
import type { RecoveryRecord } from "../../components/bootstrap/bootstrap";
import type { Launches } from "../../components/pool-watch/judge";
import { CLUSTER_NAME } from "../../local/options";
import { clusterState, localClusters, requireLocalCluster, stateRoot } from "../../local/state";
import { wakeCluster } from "../../local/wake";
import { ensureEngine, isOff, leaveFile, type MachineFile } from "../../machines";
import { type Controller, localController } from "./controller";
import { type SshOptions, sshController, sshOptions } from "./ssh";
import { type CloudStack, type Export, readCloudStack, stackExport, stackRecord } from "./stack-record";

/** The values of the options that select a cluster. */
export type ClusterChoice = Partial<Values<typeof clusterOptions>>;

/** How to reach a cluster, local or not. */
export interface ClusterAccess {
    /** The cluster's name, for messages and names of its resources in the cloud. */
    readonly name: string;
    /** Its name, if it is a local cluster. */
    readonly local?: string;
    /** Undefined for a local cluster without a kubeconfig yet. */
    readonly connection?: Connection;
    readonly kubeconfig: string;
    /** A file in which commands cache facts about the cluster, for when it is down. */
    readonly notes: string;
}

/**
 * The selected cluster: `--name`, `--kubeconfig`, `$KUBECONFIG`, otherwise the only local one.
 *
 * @throws UsageError that lists the clusters to choose from
 */
export function findCluster(choice: ClusterChoice, env: NodeJS.ProcessEnv = process.env): ClusterAccess {
    const { name, kubeconfig } = choice;
    if (name !== undefined && kubeconfig !== undefined) {
        throw new UsageError("--name and --kubeconfig are mutually exclusive");
    }
    if (name !== undefined) {
        return localAccess(name, choice.context);
    }
    const fromEnvironment = env.KUBECONFIG?.split(delimiter).filter(Boolean) ?? [];
    if (kubeconfig === undefined && fromEnvironment.length > 1) {
        throw new UsageError("KUBECONFIG lists several files; choose one with --kubeconfig");
    }
    const path = kubeconfig ?? fromEnvironment[0];
    if (path !== undefined) {
        return fileAccess(path, kubeconfig === undefined ? "KUBECONFIG" : "--kubeconfig", choice.context);
    }
    const clusters = localClusters();
    if (clusters.length === 0) {
        throw new UsageError("there are no local clusters; use --kubeconfig FILE for any other cluster");
    }
    if (clusters.length > 1) {
        throw new UsageError(`there are several local clusters; choose one with --name: ${clusters.join(", ")}`);
    }
    return localAccess(clusters[0]!, choice.context);
}

function localAccess(name: string, context: string | undefined): ClusterAccess {
    const { kubeconfig, dir } = requireLocalCluster(name);
    // Without it, commands use what they can reach otherwise.
    const advice = context === undefined ? "; delete it, and npm start writes it again" : "";
    const connection = existsSync(kubeconfig) ? connectionIn(kubeconfig, context, advice) : undefined;
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
    const connection = connectionIn(path, context);
    // Identifies the cluster regardless of the file name; a recreated cluster gets a new identity.
    const id = createHash("sha256")
        .update(`${connection.server} ${connection.ca ?? ""}`)
        .digest("hex")
        .slice(0, 16);
    return {
        name: connection.cluster,
        connection,
        kubeconfig: path,
        notes: join(stateRoot(), ".seen", `${id}.json`),
    };
}

/** @param advice - what to do if the file cannot be used */
function connectionIn(path: string, context: string | undefined, advice = ""): Connection {
    try {
        return connectionOf(path, { context });
    } catch (error) {
        throw new UsageError(`${path}: ${(error as Error).message}${advice}`);
    }
}

function isSame(one: string, other: string): boolean {
    return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}

export interface MachinePower {
    /** Whether it is certainly off, or does not exist. */
    isOff(name: string): Promise<boolean>;
    /** Writes a file to the disk of one that is off. */
    leave(name: string, file: MachineFile): Promise<void>;
}

/** The machines of a cluster with a known stack, reached without its API. */
export interface ClusterMachines {
    /** Command-line options that select this cluster. */
    readonly choice: string;
    /** Whether the cluster has machines whose names are not in its stack. */
    readonly hasOtherNodes: boolean;
    /** The recovery record in the stack's state. */
    record(): Promise<RecoveryRecord>;
    /** Makes sure that machines are reachable at all. */
    ready(): Promise<void>;
    /** Starts stopped machines, if they are local. */
    wake(say: (line: string) => void): Promise<unknown>;
    /** @param timeout - of scripts, in milliseconds. @default none */
    controller(name: string, timeout?: number): Controller;
    /** How to know that a machine is off. @default - that cannot be known */
    readonly power?: MachinePower;
}

/** Containers on this machine. */
function localMachines(cluster: string): ClusterMachines {
    return {
        choice: `--name ${cluster}`,
        hasOtherNodes: false,
        record: () => stackRecord(clusterState(cluster)),
        ready: async () => {
            await ensureEngine();
        },
        wake: (say) => wakeCluster(cluster, say),
        controller: (name) => localController(cluster, name),
        power: { isOff: (name) => isOff(cluster, name), leave: (name, file) => leaveFile(cluster, name, file) },
    };
}

/** Cloud machines, over SSH. */
export function sshMachines(
    { name, record, addresses, hasOtherNodes }: CloudStack,
    options: SshOptions,
): ClusterMachines {
    const { sshUser = "core", sshKey, sshAddress: sshAddresses = {} } = options;
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
                throw new Error(`the state of the stack ${name} has no address for ${node}; set it with --ssh-address`);
            }
            return sshController({ name: node, address, user: sshUser, key: sshKey, timeout });
        },
    };
}

/** Options that select a cluster and reach its machines. */
export const clusterOptions = under("Cluster:", {
    name: value("NAME", "a local cluster", CLUSTER_NAME),
    kubeconfig: value("FILE", "any cluster, with an administrator's kubeconfig", undefined, {
        otherwise: "$KUBECONFIG, otherwise the local cluster if there is only one",
    }),
    context: value("NAME", "a context of the kubeconfig", undefined, { otherwise: "the current one" }),
    ...sshOptions,
});

const { name, kubeconfig, context, stack } = clusterOptions;

/** Those of commands that need only the cluster's API. */
export const apiOptions = { name, kubeconfig, context, stack };

/** How a cloud launches the machines of a pool. @param timeout - of each call, in milliseconds */
export type LaunchesOf = (pool: string, timeout: number) => Promise<Launches>;

export interface ReachedCluster {
    readonly access: ClusterAccess;
    /** @default only its kubeconfig is known */
    readonly machines?: ClusterMachines;
    /**
     * How a pool's group on AWS launches instances, with credentials of the environment.
     * @default it has none, or only its kubeconfig is known
     */
    readonly launchesOf?: LaunchesOf;
    /** Reads its stack's state, with secrets in plain text. @default only its kubeconfig is known */
    readonly state?: () => Promise<Export>;
}

/** The selected cluster, with its API and machines. */
export async function reachCluster(choice: ClusterChoice): Promise<ReachedCluster> {
    const { stack, name, kubeconfig, context } = choice;
    if (stack === undefined) {
        const access = findCluster(choice);
        const { local } = access;
        return local === undefined
            ? { access }
            : { access, machines: localMachines(local), state: () => stackExport(clusterState(local)) };
    }
    if (name !== undefined) throw new UsageError("--stack and --name are mutually exclusive");
    if (kubeconfig !== undefined) throw new UsageError("--stack and --kubeconfig are mutually exclusive");
    const cloud = await readCloudStack(stack);
    const connection = cloud.kubeconfig === undefined ? undefined : connectionOf(cloud.kubeconfig, { context });
    const { kubernetesCa } = cloud.record.credentials;
    const { groupRegion } = cloud;
    const cluster = cloud.record.options.name;
    const id = createHash("sha256").update(kubernetesCa.cert).digest("hex").slice(0, 16);
    return {
        access: {
            name: cluster,
            connection,
            kubeconfig: `kubeconfig of the stack ${stack}`,
            notes: join(stateRoot(), ".seen", `${id}.json`),
        },
        machines: sshMachines(cloud, choice),
        ...(groupRegion && {
            launchesOf: (pool: string, timeout: number) => launchesHere(cluster, pool, groupRegion, timeout),
        }),
        state: async () => cloud.exported,
    };
}
