import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { writePrivate } from "../command-line/private-file";

/** Where the clusters of this computer keep their state: outside the checkout and outside the cache. */
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
    /** What the secrets in the backend and in the configuration are encrypted with. */
    readonly passphrase: string;
    /** The stack's configuration, as Pulumi reads it. */
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

/** Makes what a cluster's state needs, once: a passphrase is never made anew. */
export function createState(name: string): ClusterState {
    const state = clusterState(name);
    mkdirSync(state.backend, { recursive: true, mode: 0o700 });
    chmodSync(state.dir, 0o700);
    if (!existsSync(state.passphrase)) {
        // With a backend but without its passphrase, nothing could be decrypted, and a new one would hide that.
        if (readdirSync(state.backend).length > 0) {
            throw new Error(`${state.passphrase} must be the passphrase of ${state.backend}, but it is gone`);
        }
        writePrivate(state.passphrase, randomBytes(32).toString("base64url"));
    }
    return state;
}

export function hasState(name: string): boolean {
    return existsSync(clusterState(name).dir);
}

/** The clusters that have state on this computer, by name. */
export function localClusters(): string[] {
    const root = stateRoot();
    const entries = existsSync(root) ? readdirSync(root, { withFileTypes: true }) : [];
    return entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
        .map(({ name }) => name)
        .sort();
}

export function removeState(name: string): void {
    rmSync(clusterState(name).dir, { recursive: true, force: true });
}
