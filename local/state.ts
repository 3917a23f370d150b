import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { invalidOption } from "../command-line/parse";
import { writePrivate } from "../command-line/private-file";

/** Where local clusters store their state: outside the checkout and the cache. */
export function stateRoot(): string {
    return (
        process.env.TRADEWIND_STATE ?? join(process.env.XDG_DATA_HOME ?? join(homedir(), ".local/share"), "tradewind")
    );
}

/** The files of one cluster. */
export interface ClusterState {
    readonly name: string;
    readonly dir: string;
    /** Pulumi's `file://` backend. */
    readonly backend: string;
    /** Encrypts the secrets in the backend and the configuration. */
    readonly passphrase: string;
    /** The stack's configuration file. */
    readonly config: string;
    readonly kubeconfig: string;
    readonly timeline: string;
}

export function clusterState(name: string): ClusterState {
    const dir = join(stateRoot(), name);
    return {
        name,
        dir,
        backend: join(dir, "backend"),
        passphrase: join(dir, "passphrase"),
        config: join(dir, `Pulumi.${name}.yaml`),
        kubeconfig: join(dir, "kubeconfig"),
        timeline: join(dir, "timeline.json"),
    };
}

/** Creates a cluster's state; an existing passphrase is never replaced. */
export function createState(name: string): ClusterState {
    const state = clusterState(name);
    mkdirSync(state.backend, { recursive: true, mode: 0o700 });
    chmodSync(state.dir, 0o700);
    if (!existsSync(state.passphrase)) {
        // If a backend exists without its passphrase, nothing can be decrypted, and a new passphrase would hide that.
        if (readdirSync(state.backend).length > 0) {
            throw new Error(`${state.passphrase} is missing: without it, ${state.backend} cannot be decrypted`);
        }
        writePrivate(state.passphrase, randomBytes(32).toString("base64url"));
    }
    return state;
}

export function hasState(name: string): boolean {
    return existsSync(clusterState(name).dir);
}

/** Names of the local clusters that have state. */
export function localClusters(): string[] {
    const root = stateRoot();
    const entries = existsSync(root) ? readdirSync(root, { withFileTypes: true }) : [];
    return entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
        .map(({ name }) => name)
        .sort();
}

/** @throws UsageError that lists the local clusters, unless it is one */
export function requireLocalCluster(name: string): ClusterState {
    const names = localClusters();
    const legal = names.length === 0 ? "a local cluster (there are none)" : `one of ${names.join(", ")}`;
    if (!names.includes(name)) throw invalidOption("--name", legal, name);
    return clusterState(name);
}

export function removeState(name: string): void {
    rmSync(clusterState(name).dir, { recursive: true, force: true });
}
