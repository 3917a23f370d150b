import { waitFor } from "../../agents/harness/wait";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { isReady, type Node } from "../../clients/kubernetes/objects";

/** Unit: seconds. */
const limits = { worker: 900, replacement: 1200 };

const often = { everyMilliseconds: 300 };

const isController = ({ metadata }: Node) => metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined;

/** A cluster's nodes, by role, with what identifies their machines. */
export interface Nodes {
    readonly controller: string;
    readonly worker: string;
    /** Changes with the machine and with each of its boots. */
    readonly workerBoot: string;
}

export async function nodeNames(api: ApiClient): Promise<Nodes> {
    const all = await list<Node>(api, "/api/v1/nodes");
    const controller = all.find(isController);
    const worker = all.find((each) => !isController(each) && isReady(each.status));
    if (!controller || !worker) {
        const names = all.map(({ metadata }) => metadata.name).join(", ");
        throw new Error(`a controller and a Ready worker must exist (got ${names || "no node"})`);
    }
    return { controller: controller.metadata.name, worker: worker.metadata.name, workerBoot: bootOf(worker) };
}

/** Waits for the worker, which on AWS may join later than `pulumi up` waits. */
export async function waitForWorker(api: ApiClient, say: (line: string) => void): Promise<Nodes> {
    let found: Nodes | undefined;
    const patience = { deadline: performance.now() + limits.worker * 1000, report: say };
    await waitFor(
        patience,
        "a worker to join",
        async () => {
            try {
                found = await nodeNames(api);
                return undefined;
            } catch (error) {
                return (error as Error).message;
            }
        },
        often,
    );
    return found!;
}

/** Waits until the worker's machine has been replaced by another one that is Ready. */
export async function waitForReplacement(api: ApiClient, before: Nodes, say: (line: string) => void): Promise<string> {
    const patience = { deadline: performance.now() + limits.replacement * 1000, report: say };
    let now = before;
    await waitFor(
        patience,
        "the worker to be another machine",
        async () => {
            try {
                now = await nodeNames(api);
            } catch (error) {
                return (error as Error).message;
            }
            return now.workerBoot === before.workerBoot ? `${now.worker} is still the same machine` : undefined;
        },
        often,
    );
    return `${before.worker} was replaced by ${now.worker}`;
}

function bootOf({ spec, status }: Node): string {
    const { bootID, machineID } = status?.nodeInfo ?? {};
    const addresses = status?.addresses?.map(({ address }) => address);
    return JSON.stringify([machineID, bootID, spec?.providerID, addresses]);
}
