import type { ApiClient, Call } from "../../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../../clients/kubernetes/api-error";
import type { Shown } from "./situation";

/**
 * An API with these objects, and with metrics about deprecated APIs. Later objects replace earlier ones of the same
 * name.
 *
 * @param refused - result of a dry run of a pod.
 * @default it is admitted
 */
export function shownApi(objects: readonly Shown[], metrics = "", refused?: string): ApiClient {
    const all = new Map(
        objects.map((each) => [[each.kind, each.metadata.namespace, each.metadata.name].join("/"), each]),
    );
    let asked = 0;
    const call = async (path: string, { onWarning }: Call = {}): Promise<unknown> => {
        // Each kube-apiserver started at a different time.
        if (path === "/metrics") return `process_start_time_seconds ${asked++}\n${metrics}\n`;
        if (refused !== undefined && path.includes("/pods?dryRun")) throw new ApiError(403, refused);
        const url = new URL(path, "https://c");
        const [, namespace, kinds, name] =
            /^\/apis?\/(?:\w+\/)?v1(?:\/namespaces\/([^/]+))?\/(\w+)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
        const found = [...all.values()].filter(
            ({ kind, metadata }) =>
                `${kind.toLowerCase()}s` === kinds &&
                (namespace === undefined || metadata.namespace === namespace) &&
                (name === undefined || metadata.name === name),
        );
        if (name === undefined) return { items: found.filter((each) => isSelected(each, url.searchParams)) };
        if (found.length === 0) throw new ApiError(404, `${path} not found`);
        for (const warning of (found[0]!.warnings as string[] | undefined) ?? []) onWarning?.(warning);
        return found[0];
    };
    return { call } as unknown as ApiClient;
}

function isSelected({ metadata, type, spec }: Shown, query: URLSearchParams): boolean {
    const [, label = "", one, several = ""] =
        /^([\w-]+)(?:=(.*)| in \((.*)\))$/.exec(query.get("labelSelector") ?? "") ?? [];
    const [, field, desired] = /^([\w.]+)=(.*)$/.exec(query.get("fieldSelector") ?? "") ?? [];
    const { nodeName } = (spec ?? {}) as { readonly nodeName?: string };
    const value = field === "type" ? type : field === "spec.nodeName" ? nodeName : metadata.name;
    return (
        (label === "" || (one === undefined ? several.split(",") : [one]).includes(metadata.labels?.[label] ?? "")) &&
        (field === undefined || value === desired)
    );
}
