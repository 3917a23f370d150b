import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../agents/common/api-client";
import { ApiError } from "../../agents/common/api-error";
import { describeChange, foreignChanges, type LiveObject, takenOver } from "./foreign-changes";

/** An object as a program writes it. */
export interface ApiObject {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

interface ResourceList {
    readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

const tries = 5;

/**
 * Takes over what others changed of an object that is about to be updated, so that the stack's values win and what it drops
 * goes. A preview only says so.
 *
 * @returns whose changes are undone, a line each
 */
export async function undo(
    api: ApiClient,
    { wanted, before }: { readonly wanted: ApiObject; readonly before: ApiObject },
    isPreview: boolean,
): Promise<string[]> {
    const path = await pathOf(api, wanted);
    const { kind, metadata: { name, namespace } = {} } = wanted;
    for (let count = 1; ; count++) {
        const live = await api.call<LiveObject>(path);
        const sides = { live, wanted, before };
        const changes = foreignChanges(sides);
        const owners = isPreview ? undefined : takenOver(sides);
        try {
            if (owners) await setOwners(api, path, live, owners);
            const what = `${kind} ${namespace ? `${namespace}/` : ""}${name}`;
            const verb = isPreview ? "`up` undoes" : "this undoes";
            return changes.map((change) => `${what}: ${describeChange(change)}; ${verb} that, since the stack owns it`);
        } catch (error) {
            // Somebody wrote meanwhile.
            if (!(error instanceof ApiError && [409, 422].includes(error.status)) || count === tries) throw error;
            await sleep(200);
        }
    }
}

async function setOwners(api: ApiClient, path: string, live: LiveObject, owners: readonly object[]): Promise<void> {
    await api.call(`${path}?fieldManager=tradewind-up`, {
        method: "PATCH",
        contentType: "application/json-patch+json",
        body: [
            { op: "test", path: "/metadata/resourceVersion", value: live.metadata?.resourceVersion },
            { op: "replace", path: "/metadata/managedFields", value: owners },
        ],
    });
}

async function pathOf(api: ApiClient, { apiVersion = "", kind, metadata }: ApiObject): Promise<string> {
    const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { resources } = await api.call<ResourceList>(root);
    const served = resources.find((each) => each.kind === kind && !each.name.includes("/"));
    if (served === undefined) throw new Error(`the API serves no ${kind} in ${apiVersion}`);
    const scope = served.namespaced ? `/namespaces/${metadata?.namespace ?? "default"}` : "";
    return `${root}${scope}/${served.name}/${encodeURIComponent(metadata?.name ?? "")}`;
}
