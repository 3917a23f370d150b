import { isDeepStrictEqual } from "node:util";
import { type Change, type Diff, isUnknown, type Properties } from "../plugin";
import { activeEntries, loadKubeconfig } from "./kubeconfig";

const WHERE = ["kubeconfig", "context", "cluster"];

/**
 * Whether a provider still talks to the same cluster. Replacing it replaces all of its objects, so that a literal
 * `clusterIdentifier` matters: while it stays the same nothing is replaced, not even for an unknown kubeconfig.
 */
export function diffConfig(config: Properties, oldConfig: Properties): Diff {
    const names = [...new Set([...Object.keys(oldConfig), ...Object.keys(config)])];
    const changed = names.filter((name) => !isDeepStrictEqual(present(config[name]), present(oldConfig[name])));
    const replacing = new Set(replacements(config, oldConfig, changed));
    const changes = changed.map((name): [string, Change] => {
        const kind = !present(oldConfig[name]) ? "add" : !present(config[name]) ? "delete" : "update";
        return [name, { kind, replace: replacing.has(name) }];
    });
    return { changes: Object.fromEntries(changes) };
}

function replacements(config: Properties, oldConfig: Properties, changed: string[]): string[] {
    const identifier = present(config.clusterIdentifier);
    const oldIdentifier = present(oldConfig.clusterIdentifier);
    if (identifier && identifier === oldIdentifier) return [];
    const byIdentifier = identifier && oldIdentifier ? ["clusterIdentifier"] : [];
    const unknown = WHERE.filter((name) => isUnknown(config[name]) && changed.includes(name));
    if (unknown.length) return [...byIdentifier, ...unknown];
    const [before, after] = [activeCluster(oldConfig), activeCluster(config)];
    const hasMoved = before && after && !isDeepStrictEqual(before, after);
    return [...byIdentifier, ...(hasMoved ? WHERE.filter((name) => changed.includes(name)) : [])];
}

function activeCluster(config: Properties): Properties | undefined {
    const kubeconfig = present(config.kubeconfig);
    if (!kubeconfig) return {};
    try {
        const text = typeof kubeconfig === "string" ? kubeconfig : JSON.stringify(kubeconfig);
        const choice = { context: config.context as string | undefined, cluster: config.cluster as string | undefined };
        return activeEntries(loadKubeconfig(text).config, choice).cluster;
    } catch {
        return undefined; // an unreadable one says nothing about the cluster; operations report it
    }
}

function present(value: unknown): unknown {
    return value === null || value === "" ? undefined : value;
}
