import type { ApiClient } from "../../agents/common/api-client";

/** An object as the API has it. */
export interface StoredObject {
    readonly apiVersion: string;
    readonly kind: string;
    readonly type?: string;
    readonly metadata: {
        readonly name: string;
        readonly namespace?: string;
        readonly labels?: Readonly<Record<string, string>>;
        readonly [field: string]: unknown;
    };
    readonly [field: string]: unknown;
}

interface Resource {
    readonly name: string;
    readonly kind: string;
    readonly verbs: readonly string[];
}

interface Groups {
    readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
}

interface Page {
    readonly items?: readonly Record<string, unknown>[];
    readonly metadata?: { readonly continue?: string };
}

const pageSize = 500;

/** Every object of every kind that the API can list, each at its group's preferred version. */
export async function everyObject(api: ApiClient): Promise<StoredObject[]> {
    const { groups } = await api.call<Groups>("/apis");
    const versions = ["v1", ...groups.map(({ preferredVersion }) => preferredVersion.groupVersion)];
    const objects: StoredObject[] = [];
    for (const version of versions) {
        const base = version === "v1" ? "/api/v1" : `/apis/${version}`;
        const { resources } = await api.call<{ resources: readonly Resource[] }>(base);
        for (const { name, kind } of resources.filter(isListed)) {
            objects.push(...(await list(api, `${base}/${name}`, version, kind)));
        }
    }
    return objects;
}

/** ComponentStatus is asked of the processes, not stored. */
function isListed({ name, kind, verbs }: Resource): boolean {
    return verbs.includes("list") && !name.includes("/") && kind !== "ComponentStatus";
}

async function list(api: ApiClient, path: string, apiVersion: string, kind: string): Promise<StoredObject[]> {
    const objects: StoredObject[] = [];
    for (let token: string | undefined = ""; token !== undefined; ) {
        const next: string = token === "" ? "" : `&continue=${encodeURIComponent(token)}`;
        const { items = [], metadata }: Page = await api.call<Page>(`${path}?limit=${pageSize}${next}`);
        // Items of a list do not say what they are.
        objects.push(...items.map((item) => ({ ...item, apiVersion, kind }) as unknown as StoredObject));
        token = metadata?.continue || undefined;
    }
    return objects;
}

/** How a person calls it: `DaemonSet kube-system/kube-proxy`. */
export function nameOf({ kind, metadata: { namespace, name } }: StoredObject): string {
    return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}
