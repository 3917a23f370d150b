import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../common/read-plan";
import type { NodeRemovalPlan } from "./plan";

export function readPlan(path: string): NodeRemovalPlan {
    return readPlanFile<NodeRemovalPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems(plan: NodeRemovalPlan): string[] {
    const { cluster, wanted, groups, apiServer, poolLabel, controllerLabel, etcd, serviceAccount } = plan;
    const urls = "a list of at least one https:// URL";
    const checks: Check[] = [
        [isText(cluster), "cluster", "a name", cluster],
        // Nobody wants a cluster without nodes: it would remove every one.
        [isList(wanted, isText), "wanted", "a list of at least one name", wanted],
        [groups === undefined || isText(groups.namePattern), "groups.namePattern", "a pattern", groups?.namePattern],
        [groups === undefined || isNames(groups.wanted), "groups.wanted", "a list of names", groups?.wanted],
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        [isText(poolLabel), "poolLabel", "a label", poolLabel],
        [isText(controllerLabel), "controllerLabel", "a label", controllerLabel],
        [isList(etcd?.endpoints, isHttps), "etcd.endpoints", urls, etcd?.endpoints],
        [isList(etcd?.peerUrls, isHttps), "etcd.peerUrls", urls, etcd?.peerUrls],
        [isAbsolutePath(etcd?.pki), "etcd.pki", "an absolute path", etcd?.pki],
        [isAbsolutePath(serviceAccount), "serviceAccount", "an absolute path", serviceAccount],
    ];
    return problemsOf(checks);
}

function isHttps(value: unknown): boolean {
    return isUrl("https", value);
}

function isNames(value: unknown): boolean {
    return Array.isArray(value) && value.every(isText);
}

function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
    return Array.isArray(value) && value.length > 0 && value.every(isItem);
}
