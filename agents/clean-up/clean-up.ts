import { type AdmissionRefusal, admissionRefusal } from "../../clients/kubernetes/admission-refusal";
import { ApiClient, list, remove } from "../../clients/kubernetes/api-client";
import { describeError, describePassing, isNotFound } from "../../clients/kubernetes/api-error";
import type { ConfigMap, WebhookConfiguration } from "../../clients/kubernetes/objects";
import { Timeout, waitFor } from "../harness/wait";
import { accessTo } from "./clouds";
import { type Deletion, decide } from "./decide";
import { readObjects } from "./objects";
import { type CleanUpRequest, cleanUpMarker } from "./request";
import { allowNew, type Choice, choiceOf, choiceVariable, refuseNew, sweep } from "./sweep";

const markerPath = `/api/v1/namespaces/kube-system/configmaps/${cleanUpMarker}`;

interface CleanUp extends CleanUpRequest {
    /** Value of the marker, constant until the resource is replaced. */
    readonly id: string;
    readonly print: (line: string) => void;
    /**
     * What to do about leftovers of a dead cluster, or of one whose API refuses to delete them. @default - from the
     * environment
     */
    readonly choice?: Choice;
}

/**
 * Removes the load balancers and volumes that a cluster created in the cloud, through the cluster's own controllers,
 * and waits for that. Does nothing without the marker, which is removed first if the cluster stays. Another run resumes
 * an interrupted one. If the cluster's API does not answer, cleans up in the cloud directly.
 *
 * @throws if anything is left, with a list of it
 */
export async function cleanUp({ id, print, choice = choiceOf(), ...request }: CleanUp): Promise<void> {
    const { apiSeconds = 60, timeoutSeconds = 900, cloud, findByHand } = request;
    const api = clientOf(request);
    const marker = await markerOf(api, apiSeconds, print);
    if ("silence" in marker) {
        print(`the API of ${request.cluster} does not answer (${marker.silence})`);
        if (cloud && choice !== "leave") {
            return sweep({ access: () => accessTo(cloud), choice, print, timeoutSeconds, findByHand });
        }
        for (const line of silent(request)) print(line);
        return;
    }
    if (marker.id !== id) {
        print("nothing is deleted: the cluster stays, or is configured to keep what it created");
        return;
    }
    await insist(apiSeconds, print, () => refuseNew(api));
    let kept: readonly string[] = [];
    let rest: readonly string[] = [];
    let isLeft = false;
    const observeSafely = async () => {
        const { deletions, left, ...others } = decide(request, await readObjects(api));
        kept = others.kept;
        rest = left;
        for (const deletion of deletions) await carryOut(api, deletion, print);
        return left.length > 0 ? left.join("; ") : undefined;
    };
    const refused = new NotAdmitted(request.admissionSeconds);
    const passing = async () => {
        try {
            const left = await observeSafely();
            refused.isFinal(undefined);
            return left;
        } catch (error) {
            const refusal = refusalIn(error);
            if (refused.isFinal(refusal)) {
                if (choice !== "leave") throw await notAdmitted(api, refusal!, rest);
                isLeft = true;
                return undefined;
            }
            return refusal === undefined ? describePassing(error) : describeError(error);
        }
    };
    const patience = { deadline: performance.now() + timeoutSeconds * 1000, report: print };
    try {
        await waitFor(patience, "the cluster's cloud resources to be deleted", passing, {
            everyMilliseconds: 250,
            slowTo: 5_000,
        });
    } catch (error) {
        // If the destroy is given up, the cluster must work.
        await allowNew(api).catch(() => undefined);
        throw error instanceof Timeout ? new Error(`${error.message}\n${goOn}`) : error;
    }
    if (isLeft) {
        print(`left behind, since the API refuses to delete it: ${rest.join("; ")}`);
        for (const line of findByHand) print(`    ${line}`);
        return;
    }
    for (const volume of kept) print(`kept, by its reclaim policy: volume ${volume}`);
    print("the cluster has no load balancers or volumes left to delete in its cloud");
}

/** Allows a partly destroyed cluster to create load balancers and volumes again. */
export async function takeBack(request: CleanUpRequest): Promise<void> {
    const api = clientOf(request);
    await insist(
        request.apiSeconds ?? 60,
        () => undefined,
        () => allowNew(api),
    );
}

const goOn = [
    "The cluster's own controllers must delete these: run kubectl -n kube-system get pods to check that they run. Destroy again once they do.",
    `To leave them behind: kubectl -n kube-system delete configmap ${cleanUpMarker}, then destroy again.`,
].join("\n");

function clientOf({ server, ca, cert, key }: CleanUpRequest): ApiClient {
    return new ApiClient(server, () => ({ ca, cert, key }), "tradewind-clean-up");
}

function silent({ findByHand }: CleanUpRequest): string[] {
    return [
        "load balancers and volumes that it created may be left in the cloud, and a network with such a load balancer is",
        "not deleted. These commands list what is left:",
        ...findByHand.map((line) => `    ${line}`),
    ];
}

/** The ID in the marker, undefined without a marker; or why the API does not answer. */
async function markerOf(
    api: ApiClient,
    seconds: number,
    print: (line: string) => void,
): Promise<{ readonly id?: string } | { readonly silence: string }> {
    let id: string | undefined;
    const observe = async () => {
        try {
            id = (await api.call<ConfigMap>(markerPath)).data?.id;
        } catch (error) {
            // A certificate that no longer matches counts as no answer too.
            if (!isNotFound(error)) return describeError(error);
        }
        return undefined;
    };
    try {
        const patience = { deadline: performance.now() + seconds * 1000, report: print };
        await waitFor(patience, "the API", observe, { everyMilliseconds: 500, slowTo: 2_000 });
        return { id };
    } catch (error) {
        if (error instanceof Timeout) return { silence: error.message };
        throw error;
    }
}

async function insist(seconds: number, report: (line: string) => void, act: () => Promise<void>): Promise<void> {
    const patience = { deadline: performance.now() + seconds * 1000, report };
    const observe = async () => {
        try {
            await act();
            return undefined;
        } catch (error) {
            return describePassing(error);
        }
    };
    await waitFor(patience, "the API", observe, { everyMilliseconds: 500, slowTo: 2_000 });
}

async function carryOut(api: ApiClient, { path, isForced }: Deletion, print: (line: string) => void): Promise<void> {
    if (await remove(api, `${path}${isForced ? "?gracePeriodSeconds=0" : ""}`)) {
        print(`deleted ${path.replace(/^\/api\/v1\/namespaces\//, "")}`);
    }
}

const registration = "/apis/admissionregistration.k8s.io/v1";
const configurations = ["validatingwebhookconfiguration", "mutatingwebhookconfiguration"] as const;

/** Seconds. A webhook just removed or just started may still reject requests for a moment. */
const patienceSeconds = 60;

/** Measures how long the API has refused all deletions because of a webhook or a policy. */
export class NotAdmitted {
    #since?: number;

    constructor(private readonly seconds = patienceSeconds) {}

    /** Whether this refusal exceeds the limit; any other error resets it. */
    isFinal(refusal: AdmissionRefusal | undefined, now = performance.now()): boolean {
        this.#since = refusal === undefined ? undefined : (this.#since ?? now);
        return this.#since !== undefined && now - this.#since >= this.seconds * 1000;
    }
}

/** The admission refusal in an API error, if it is one. */
export function refusalIn(error: unknown): AdmissionRefusal | undefined {
    return admissionRefusal((error as Error).message ?? "");
}

/** The error of a clean-up that a webhook or a policy blocks. @param left - what is left, in words */
export async function notAdmitted(
    api: ApiClient,
    { kind, name, detail }: AdmissionRefusal,
    left: readonly string[],
): Promise<Error> {
    const isWebhook = kind === "webhook" || kind === "webhook-failure";
    const what = isWebhook ? `webhook ${name}` : `${kind} ${name ?? ""}`.trim();
    const commands = isWebhook
        ? await removals(api, name)
        : [`kubectl delete ${kind === "mutating-policy" ? "mutating" : "validating"}admissionpolicybinding ${name}`];
    return new Error(
        [
            `the API refuses to delete what the cluster created in its cloud: ${what}: ${detail}`,
            `Left: ${left.join("; ")}`,
            "To remove what refuses it and then destroy again:",
            ...commands.map((line) => `    ${line}`),
            `To leave these behind, destroy again with ${choiceVariable}=leave.`,
        ].join("\n"),
    );
}

async function removals(api: ApiClient, webhook: string | undefined): Promise<string[]> {
    const found = await Promise.all(
        configurations.map(async (kind) => {
            const items = await list<WebhookConfiguration>(api, `${registration}/${kind}s`).catch(() => []);
            return items
                .filter(({ webhooks = [] }) => webhooks.some(({ name }) => name === webhook))
                .map(({ metadata }) => `kubectl delete ${kind} ${metadata.name}`);
        }),
    );
    const commands = found.flat();
    return commands.length > 0 ? commands : [`kubectl get ${configurations.map((kind) => `${kind}s`).join(",")}`];
}
