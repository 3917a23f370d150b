import type { ApiClient, Call } from "../../clients/kubernetes/api-client";
import { ApiError, ifFound } from "../../clients/kubernetes/api-error";
import type { ContainerLimits, Observation, PodShape, Trial } from "./judge";
import type { LabelSelector, Rule, Webhook } from "./webhooks";

const system = "namespaces/kube-system";
const registration = "/apis/admissionregistration.k8s.io/v1";

/** Components whose pods are tried: without them there is no control plane. */
const tried = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"];

/** Set on the objects that are tried; nothing is stored. */
const mark = { metadata: { annotations: { "tradewind.dev/admission-check": "true" } } };

interface List<T> {
    readonly items?: readonly T[];
}

interface Named {
    readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

interface Configuration extends Named {
    readonly webhooks?: readonly {
        readonly name: string;
        readonly failurePolicy?: string;
        readonly rules?: readonly Rule[];
        readonly namespaceSelector?: LabelSelector;
        readonly objectSelector?: LabelSelector;
        readonly matchConditions?: readonly object[];
        readonly clientConfig: { readonly service?: { readonly namespace: string; readonly name: string } };
    }[];
}

interface EndpointSlice {
    readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[] | null;
}

interface DaemonSet {
    readonly metadata: { readonly name: string; readonly uid: string };
    readonly spec?: { readonly template: { readonly metadata?: object; readonly spec: PodSpec } };
}

interface PodSpec {
    readonly containers: readonly {
        readonly name: string;
        readonly resources?: { readonly limits?: ContainerLimits };
    }[];
    readonly initContainers?: PodSpec["containers"];
}

interface Pod {
    readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
    readonly spec?: PodSpec;
}

/**
 * Determines which control plane writes the API admits, with dry runs and from the admission configuration.
 *
 * @param milliseconds - time to wait for a response: each webhook may take 30 s
 */
export async function observeAdmission(api: ApiClient, milliseconds: number): Promise<Observation> {
    const call = <T>(path: string, more: Call = {}) =>
        api.call<T>(path, { ...more, timeoutMilliseconds: milliseconds });
    const list = async <T>(path: string) => (await call<List<T>>(path)).items ?? [];
    const trials = Promise.all([
        patched(call, "leases of kube-system", `/apis/coordination.k8s.io/v1/${system}/leases/kube-controller-manager`),
        ...tried.map((name) => podOf(call, name)),
        ...(await nodeTrials(call, await list<Named>("/api/v1/nodes?limit=1"))),
    ]);
    const [validating, mutating, namespaces, limitRanges] = await Promise.all([
        list<Configuration>(`${registration}/validatingwebhookconfigurations`),
        list<Configuration>(`${registration}/mutatingwebhookconfigurations`),
        Promise.all(
            ["kube-system", "kube-node-lease"].map((name) =>
                ifFound(call<Partial<Named>>(`/api/v1/namespaces/${name}`)),
            ),
        ),
        list<Named>(`/api/v1/${system}/limitranges`),
    ]);
    const webhooks = [
        ...validating.flatMap((each) => webhooksOf("ValidatingWebhookConfiguration", each)),
        ...mutating.flatMap((each) => webhooksOf("MutatingWebhookConfiguration", each)),
    ];
    return {
        trials: (await trials).filter((trial) => trial !== undefined),
        webhooks: await Promise.all(
            webhooks.map(async (webhook) => ({
                ...webhook,
                ...(webhook.service && { hasEndpoints: await hasEndpoints(list, webhook.service) }),
            })),
        ),
        labels: Object.fromEntries(
            namespaces.flatMap((each) => (each?.metadata ? [[each.metadata.name, each.metadata.labels ?? {}]] : [])),
        ),
        limitRanges: limitRanges.map(({ metadata }) => metadata.name),
        seconds: milliseconds / 1000,
    };
}

type Ask = <T>(path: string, more?: Call) => Promise<T>;

async function nodeTrials(call: Ask, [node]: readonly Named[]): Promise<Promise<Trial | undefined>[]> {
    if (node === undefined) return [];
    const { name } = node.metadata;
    return [
        patched(call, "nodes", `/api/v1/nodes/${name}/status`),
        patched(call, "leases of nodes", `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`),
    ];
}

function patched(call: Ask, words: string, path: string): Promise<Trial | undefined> {
    const contentType = "application/merge-patch+json";
    return trial(words, async () => {
        await call(`${path}?dryRun=All`, { method: "PATCH", body: mark, contentType });
        return undefined;
    });
}

/** Tries a pod as the DaemonSet controller would create it. */
async function podOf(call: Ask, name: string): Promise<Trial | undefined> {
    const set = await ifFound(call<DaemonSet>(`/apis/apps/v1/${system}/daemonsets/${name}`));
    const template = set?.spec?.template;
    if (template === undefined) return undefined;
    const owner = { apiVersion: "apps/v1", kind: "DaemonSet", name, uid: set!.metadata.uid };
    const metadata = {
        ...template.metadata,
        generateName: `${name}-`,
        ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    };
    return trial(`pods of ${name}`, async () => {
        const body = { apiVersion: "v1", kind: "Pod", metadata, spec: template.spec };
        const admitted = await call<Pod>(`/api/v1/${system}/pods?dryRun=All`, { method: "POST", body });
        return { sent: shapeOf(template.spec), admitted: shapeOf(admitted.spec ?? template.spec) };
    });
}

/** Result of a dry run; undefined if it says nothing about admission. */
async function trial(
    words: string,
    act: () => Promise<{ readonly sent: PodShape; readonly admitted: PodShape } | undefined>,
): Promise<Trial | undefined> {
    try {
        const shapes = await act();
        return { words, ...(shapes && { shapes }) };
    } catch (error) {
        if (error instanceof ApiError) {
            const isOurs = error.status === 404 || /is forbidden: User "/.test(error.message);
            return isOurs ? undefined : { words, refusal: error.message };
        }
        const { name, cause } = error as { name?: string; cause?: { name?: string } };
        return [name, cause?.name].includes("TimeoutError") ? { words, isSilent: true } : undefined;
    }
}

function shapeOf({ containers, initContainers = [] }: PodSpec): PodShape {
    const all = [...initContainers, ...containers];
    return Object.fromEntries(all.map(({ name, resources }) => [name, resources?.limits ?? {}]));
}

function webhooksOf(kind: Webhook["kind"], { metadata, webhooks = [] }: Configuration): Webhook[] {
    return webhooks.map((each, index) => ({
        ...{ kind, configuration: metadata.name, index, name: each.name },
        failsClosed: each.failurePolicy !== "Ignore",
        rules: each.rules ?? [],
        namespaces: each.namespaceSelector ?? {},
        isSelective: Object.keys(each.objectSelector ?? {}).length > 0 || (each.matchConditions ?? []).length > 0,
        ...(each.clientConfig.service && { service: each.clientConfig.service }),
    }));
}

async function hasEndpoints(
    list: <T>(path: string) => Promise<readonly T[]>,
    { namespace, name }: NonNullable<Webhook["service"]>,
): Promise<boolean> {
    const selector = encodeURIComponent(`kubernetes.io/service-name=${name}`);
    const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${selector}`;
    const slices = await list<EndpointSlice>(path);
    return slices.some(({ endpoints }) => (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false));
}
