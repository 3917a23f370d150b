import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Credentials } from "../agents/common/api-client";
import { type Connection, connectionOf } from "../simulator/kubernetes/kubeconfig";
import { clusterState, localClusters, stateRoot } from "./state";
import { invalidOption, UsageError } from "./usage-error";

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

/** What the API client makes of a connection. */
export function credentialsOf({ ca, certificate, key, token, serverName, isInsecure }: Connection): Credentials {
    const text = (pem: Buffer | undefined) => pem?.toString("utf8");
    return {
        ca: text(ca),
        cert: text(certificate),
        key: text(key),
        token,
        ...(serverName && { servername: serverName }),
        ...(isInsecure && { rejectUnauthorized: false }),
    };
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
