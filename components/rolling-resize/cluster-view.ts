import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import { isReady, type Node, type Pod } from "../../clients/kubernetes/objects";
import { isCurrent } from "../../clients/kubernetes/pods";
import { controllerLabel } from "../../cluster/labels";

const system = "kube-system";

/** A node, if it exists in the cluster. */
export function nodeOf(api: ApiClient, name: string): Promise<Node | undefined> {
    return ifFound(api.call<Node>(`/api/v1/nodes/${name}`));
}

/**
 * Reasons not to stop a machine: other controllers that are not Ready, and their system pods that are missing or not
 * Ready.
 */
export async function problemsOf(api: ApiClient, stopped: string): Promise<readonly string[]> {
    const nodes = await list<Node>(api, "/api/v1/nodes");
    const controllers = nodes.filter(
        ({ metadata: { name, labels = {} } }) => name !== stopped && controllerLabel in labels,
    );
    const names = controllers.map(({ metadata }) => metadata.name);
    const pods = (await systemPods(api)).filter(({ spec }) => names.includes(spec.nodeName ?? ""));
    return [
        ...controllers.filter(({ status }) => !isReady(status)).map(({ metadata }) => `${metadata.name} is not Ready`),
        ...pods.filter(isNotReady).map(({ metadata }) => `${metadata.name} is not Ready`),
    ];
}

/** Containers of system pods on a node, to tell its state after a boot from the one before. */
export async function containersOn(api: ApiClient, node: string): Promise<ReadonlySet<string>> {
    const pods = (await systemPods(api)).filter(({ spec }) => spec.nodeName === node);
    return new Set(pods.flatMap(containersOf));
}

/** What a rebooted node is still missing. @param before - system containers that it had */
export async function missingOn(
    api: ApiClient,
    name: string,
    before: ReadonlySet<string>,
): Promise<string | undefined> {
    const node = await nodeOf(api, name);
    if (!isReady(node?.status)) return `${name} is not Ready`;
    const pods = (await systemPods(api)).filter(({ spec }) => spec.nodeName === name);
    const notReadyBecause = pods.find((pod) => isNotReady(pod) || containersOf(pod).some((id) => before.has(id)));
    return notReadyBecause && `${notReadyBecause.metadata.name} is not Ready`;
}

async function systemPods(api: ApiClient): Promise<readonly Pod[]> {
    return (await list<Pod>(api, `/api/v1/namespaces/${system}/pods`)).filter(isCurrent);
}

function isNotReady({ status }: Pod): boolean {
    return !isReady(status);
}

function containersOf({ status }: Pod): string[] {
    return (status?.containerStatuses ?? []).flatMap(({ containerID }) => containerID ?? []);
}
