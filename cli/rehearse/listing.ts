import type { ApiClient } from "../../clients/kubernetes/api-client";
import { describeError, ifFound } from "../../clients/kubernetes/api-error";
import { type Resource, resourcesAt, rootOf } from "../../clients/kubernetes/discovery";
import { titleOf } from "../../clients/kubernetes/objects";
import { compare, type Difference, type Exceptions, type StoredObject } from "../drill/compare";
import { everyObject, objectsOf } from "../drill/list";
import type { Outcome } from "./report";

/** A kind in the version of its API in which it was listed first. */
interface ListedKind {
    readonly version: string;
    readonly resource: Resource;
}

/** Every object before an upgrade. */
export interface Before {
    readonly objects: readonly StoredObject[];
    readonly kinds: readonly ListedKind[];
    /** Kinds that could not be listed, with the reason. */
    readonly leftOut: ReadonlyMap<string, string>;
}

/** The label of APIServices that kube-apiserver creates and deletes itself, one for each version it serves. */
const ownLabel = "kube-aggregator.kubernetes.io/automanaged";

/** No controller or kubelet runs: unlike after a restore of a cluster, pods and all that follows them must stay the same. */
const exceptions: Exceptions = {
    objects: [
        { what: "Events", why: "expire after an hour", matches: ({ kind }) => kind === "Event" },
        { what: "Leases", why: "kube-apiserver has one itself", matches: ({ kind }) => kind === "Lease" },
        {
            what: "APIServices of kube-apiserver",
            why: "one for each version it serves; kinds with objects are compared",
            matches: ({ kind, metadata }) => kind === "APIService" && metadata.labels?.[ownLabel] !== undefined,
        },
    ],
    fields: [
        {
            what: "metadata.resourceVersion, metadata.managedFields, status",
            why: "maintained by the API and the controllers",
            paths: [["metadata", "resourceVersion"], ["metadata", "managedFields"], ["status"]],
        },
    ],
};

export async function listBefore(api: ApiClient): Promise<Before> {
    // What needs a webhook to convert its objects cannot be listed here: nothing waits for it.
    const { objects, leftOut } = await everyObject(api, undefined, { seconds: 0, everyMilliseconds: 0 });
    const versions = [...new Set(objects.map(({ apiVersion }) => apiVersion))];
    const kinds = await Promise.all(
        versions.map(async (version) => {
            const served = await resourcesAt(api, rootOf(version));
            const listed = served.filter(({ name, verbs }) => verbs.includes("list") && !name.includes("/"));
            return listed.map((resource) => ({ version, resource }));
        }),
    );
    const has = ({ version, resource }: ListedKind) =>
        objects.some(({ apiVersion, kind }) => apiVersion === version && kind === resource.kind);
    return { objects, kinds: kinds.flat().filter(has), leftOut };
}

/** Lists the same objects again, in the same versions of their APIs. */
export async function listAgain(api: ApiClient, before: Before): Promise<Outcome> {
    const unserved: Outcome["unserved"][number][] = [];
    const unreadable: Outcome["unreadable"][number][] = [];
    const after: StoredObject[] = [];
    const readable: StoredObject[] = [];
    for (const { version, resource } of before.kinds) {
        const kind = `${resource.kind} of ${version}`;
        const earlier = before.objects.filter((each) => each.apiVersion === version && each.kind === resource.kind);
        try {
            const now = await ifFound(objectsOf(api, version, resource));
            if (now === undefined) unserved.push({ kind, objects: earlier.length });
            else {
                readable.push(...earlier);
                after.push(...now);
            }
        } catch (error) {
            unreadable.push({ kind, error: describeError(error) });
        }
    }
    const { differences, compared } = compare(readable, after, exceptions);
    return { unserved, unreadable, ...sorted(differences, readable), compared };
}

function sorted(differences: readonly Difference[], objects: readonly StoredObject[]) {
    const kinds = new Map(objects.map((object) => [titleOf(object), `${object.kind} of ${object.apiVersion}`]));
    const counts = new Map<string, { kind: string; path: string; objects: number }>();
    for (const difference of differences) {
        if (difference.kind !== "changed") continue;
        const kind = kinds.get(difference.object) ?? "?";
        for (const path of difference.paths) {
            const count = counts.get(`${kind} ${path}`) ?? { kind, path, objects: 0 };
            counts.set(`${kind} ${path}`, { ...count, objects: count.objects + 1 });
        }
    }
    return {
        missing: differences.flatMap(({ kind, object }) => (kind === "missing" ? [object] : [])),
        changed: [...counts.values()],
    };
}
