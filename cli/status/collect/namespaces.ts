import { type Caller, list } from "../../../clients/kubernetes/api-client";
import type { ApiObject, Conditions, EndpointSlice } from "../../../clients/kubernetes/objects";
import type { EndingNamespace } from "../facts";
import { secondsSince } from "./nodes";

interface Namespace extends ApiObject {
    readonly status?: Conditions;
}

/** The parts of a CustomResourceDefinition that matter here. */
interface Definition extends ApiObject {
    readonly spec?: {
        readonly group?: string;
        readonly conversion?: {
            readonly webhook?: {
                readonly clientConfig?: { readonly service?: { readonly namespace: string; readonly name: string } };
            };
        };
    };
}

/** A deletion usually ends within this time, in seconds. */
const usualSeconds = 120;

/** Timeout of a call in milliseconds. */
const CALL_MS = 2_000;

/** Namespaces whose deletion takes longer than usual at this time, in milliseconds since 1970, and what blocks it. */
export async function endingNamespaces(api: Caller, now: Promise<number>): Promise<EndingNamespace[]> {
    const call = { timeoutMilliseconds: CALL_MS };
    const [namespaces, at] = await Promise.all([list<Namespace>(api, "/api/v1/namespaces?limit=500", call), now]);
    const ending = namespaces.filter(
        ({ metadata: { deletionTimestamp } }) =>
            deletionTimestamp !== undefined && secondsSince(deletionTimestamp, at) > usualSeconds,
    );
    if (ending.length === 0) return [];
    // Definitions are large: read only if needed.
    const definitions = await list<Definition>(
        api,
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=100",
        call,
    );
    const dead = await deadDefinitions(api, definitions);
    return ending.map((namespace) => endingNamespace(namespace, dead, at));
}

/** The conditions of a namespace that is being deleted name the kinds that remain, or could not be listed. */
export function endingNamespace(
    { metadata, status }: Namespace,
    dead: readonly string[],
    now: number,
): EndingNamespace {
    const problems = (status?.conditions ?? []).filter((each) => each.status === "True" && each.message);
    const text = problems.map(({ message }) => message!.trim()).join("; ");
    return {
        name: metadata.name,
        sinceSeconds: secondsSince(metadata.deletionTimestamp, now),
        ...(text !== "" && { problem: text.length > 300 ? `${text.slice(0, 300)}…` : text }),
        definitions: dead,
    };
}

/** Names of definitions whose conversion webhook has no ready endpoint. */
async function deadDefinitions(api: Caller, definitions: readonly Definition[]): Promise<string[]> {
    const names = await Promise.all(
        definitions.map(async ({ metadata, spec }) => {
            const service = spec?.conversion?.webhook?.clientConfig?.service;
            if (service === undefined) return [];
            const selector = encodeURIComponent(`kubernetes.io/service-name=${service.name}`);
            const path = `/apis/discovery.k8s.io/v1/namespaces/${service.namespace}/endpointslices`;
            const slices = await list<EndpointSlice>(api, `${path}?labelSelector=${selector}`, {
                timeoutMilliseconds: CALL_MS,
            });
            const isReady = slices.some(({ endpoints }) =>
                (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false),
            );
            return isReady ? [] : [metadata.name];
        }),
    );
    return names.flat();
}
