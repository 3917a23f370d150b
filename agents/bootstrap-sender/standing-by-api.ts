import { type Pod, podProblem } from "../bootstrap/pod-status";
import { bootstrapComponent } from "../bootstrap/tell-api";
import type { ApiClient } from "../common/api-client";
import { describeError } from "../common/api-error";
import { eventsPath } from "../common/node-event";

const podsPath = "/api/v1/namespaces/kube-system/pods";

/** As many as a person reads. */
const most = { pods: 6, lines: 4 };

interface Event {
    readonly lastTimestamp?: string;
    readonly message?: string;
    readonly source?: { readonly component?: string };
}

/** What the bootstrap waits for, and what its pods say of why they are not Ready. */
export async function standingByApi(api: ApiClient, node: string): Promise<string> {
    try {
        const [waits, { items }] = await Promise.all([
            waitsFor(api, node),
            api.call<{ items: readonly Pod[] }>(podsPath),
        ]);
        const amiss = items.flatMap((pod) => (podProblem(pod) ? [pod] : []));
        const problems = amiss.map(podProblem).join("; ") || (items.length > 0 ? "no pod" : "no pod of kube-system");
        const said = await Promise.all(amiss.slice(0, most.pods).map((pod) => lastLinesOf(api, pod)));
        return [`${waits}not Ready there: ${problems}`, ...said.flat()].join("\n");
    } catch (error) {
        return `nobody knows what is not Ready there (${describeError(error)})`;
    }
}

async function waitsFor(api: ApiClient, node: string): Promise<string> {
    const { items = [] } = await api
        .call<{ items?: readonly Event[] }>(`${eventsPath}?fieldSelector=involvedObject.name%3D${node}`)
        .catch(() => ({ items: [] }));
    const own = items.filter(({ source }) => source?.component === bootstrapComponent);
    const last = own.sort((a, b) => (a.lastTimestamp ?? "").localeCompare(b.lastTimestamp ?? "")).at(-1);
    return last?.message ? `its step ${last.message}; ` : "";
}

/** Of its containers that do not run as they should. */
async function lastLinesOf(api: ApiClient, { metadata: { name }, status = {} }: Pod): Promise<string[]> {
    const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
    const amiss = all.filter(({ ready, state }) => !ready && state?.terminated?.exitCode !== 0);
    const logs = amiss.map(async ({ name: container, restartCount = 0, state }) => {
        const isBefore = restartCount > 0 && state?.waiting !== undefined;
        const query = `container=${container}&tailLines=${most.lines}${isBefore ? "&previous=true" : ""}`;
        const text = await api.call<unknown>(`${podsPath}/${name}/log?${query}`).catch(() => "");
        return text ? [`--- container ${container} of ${name}`, String(text).trimEnd()] : [];
    });
    return (await Promise.all(logs)).flat();
}
