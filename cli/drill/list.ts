import { setTimeout as sleep } from "node:timers/promises";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { ApiError, describeError, ifFound } from "../../clients/kubernetes/api-error";
import { type Resource, resourcesAt, rootOf } from "../../clients/kubernetes/discovery";
import type { Typed } from "../../clients/kubernetes/objects";
import type { StoredObject } from "./compare";

export interface Listing {
    readonly objects: readonly StoredObject[];
    /** Kinds that are not in a snapshot or cannot be listed, with the reason. */
    readonly leftOut: ReadonlyMap<string, string>;
}

interface Version {
    readonly groupVersion: string;
}

interface Groups {
    readonly groups: readonly { readonly preferredVersion: Version; readonly versions: readonly Version[] }[];
}

interface ApiService extends Typed {
    readonly spec: { readonly group?: string; readonly version: string; readonly service?: object | null };
}

const pageSize = 500;

/** After a restore, the pods that convert a kind's objects may not serve at once. */
const retry = { seconds: 60, everyMilliseconds: 1000 };

/**
 * Every listable object of every kind that etcd stores, each in the preferred version of its group, or in the first other
 * one that has it.
 *
 * @param before - the previous listing, which decides what is left out. @default none: kinds that cannot be listed
 */
export async function everyObject(api: ApiClient, before?: Listing, { seconds, everyMilliseconds } = retry) {
    const { groups } = await api.call<Groups>("/apis");
    const elsewhere = await versionsElsewhere(api);
    const objects: StoredObject[] = [];
    const leftOut = new Map<string, string>();
    const deadline = Date.now() + seconds * 1000;
    const listed = new Set<string>();
    for (const version of ["v1", ...preferredFirst(groups)]) {
        if (elsewhere.has(version)) {
            leftOut.set(version, "served by another API server");
            continue;
        }
        const keyOf = ({ name }: Resource) => `${name} ${version.includes("/") ? version.split("/")[0] : ""}`;
        const served = await ifFound(resourcesAt(api, rootOf(version)));
        // After a change of version or flags, until kube-apiserver has removed its APIService.
        if (served === undefined) leftOut.set(version, "named among the groups, but not served");
        const kinds = (served ?? []).filter((kind) => isListed(kind) && !listed.has(keyOf(kind)));
        for (const kind of kinds) listed.add(keyOf(kind));
        for (let index = 0; index < kinds.length; ) {
            const title = `${kinds[index]!.name} of ${version}`;
            try {
                if (!before?.leftOut.has(title)) objects.push(...(await objectsOf(api, version, kinds[index]!)));
                index++;
            } catch (error) {
                if (!isFailedConversion(error)) throw error;
                if (before === undefined) {
                    leftOut.set(title, describeError(error));
                    index++;
                } else if (Date.now() > deadline) {
                    throw new Error(`could not list ${title}: ${describeError(error)}`);
                } else {
                    await sleep(everyMilliseconds);
                }
            }
        }
    }
    return { objects, leftOut } satisfies Listing;
}

/** Every version of every group. A kind may only be in one that is not preferred, such as an alpha version. */
function preferredFirst(groups: Groups["groups"]): string[] {
    const sorted = groups.flatMap(({ preferredVersion, versions }) => [preferredVersion, ...versions]);
    return [...new Set(sorted.map(({ groupVersion }) => groupVersion))];
}

/** Every object of a kind in one version of its API. */
export async function objectsOf(api: ApiClient, version: string, { name, kind }: Resource): Promise<StoredObject[]> {
    const items = await list<StoredObject>(api, `${rootOf(version)}/${name}?limit=${pageSize}`);
    // List items have no kind or API version.
    return items.map((item) => ({ ...item, apiVersion: version, kind }));
}

/** The API answers so when the webhook that converts objects of the kind fails. */
function isFailedConversion(error: unknown): boolean {
    return error instanceof ApiError && error.status === 500;
}

/** Versions whose objects are stored, or computed, by other API servers, such as metrics-server. */
async function versionsElsewhere(api: ApiClient): Promise<Set<string>> {
    const services = await list<ApiService>(api, "/apis/apiregistration.k8s.io/v1/apiservices");
    return new Set(services.filter(({ spec }) => spec.service).map(({ spec }) => `${spec.group}/${spec.version}`));
}

/** ComponentStatus is computed, not stored. */
function isListed({ name, kind, verbs }: Resource): boolean {
    return verbs.includes("list") && !name.includes("/") && kind !== "ComponentStatus";
}
