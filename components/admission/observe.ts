import { type ApiClient, type Call, type Caller, list, patch } from "../../clients/kubernetes/api-client";
import { ApiError, ifFound } from "../../clients/kubernetes/api-error";
import type {
    ApiObject,
    DaemonSet,
    EndpointSlice,
    List,
    Node,
    Pod,
    PodSpec,
    WebhookConfiguration,
} from "../../clients/kubernetes/objects";
import type { ContainerLimits, Observation, PodShape, Trial } from "./judge";
import type { Webhook } from "./webhooks";

const system = "namespaces/kube-system";
const registration = "/apis/admissionregistration.k8s.io/v1";

/** Components whose pods are tried: without them there is no control plane. */
const tried = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"];

/** Set on the objects that are tried; nothing is stored. */
const mark = { metadata: { annotations: { "tradewind.dev/admission-check": "true" } } };

/**
 * Determines which control plane writes the API admits, with dry runs and from the admission configuration.
 *
 * @param milliseconds - time to wait for a response: each webhook may take 30 s
 */
export async function observeAdmission(api: ApiClient, milliseconds: number): Promise<Observation> {
    const call = <T>(path: string, more: Call = {}) =>
        api.call<T>(path, { ...more, timeoutMilliseconds: milliseconds });
    const caller = { call };
    // All in one: a rejection of another promise would end the program.
    const [trials, validating, mutating, namespaces, limitRanges] = await Promise.all([
        Promise.all([
            patched(
                call,
                "leases of kube-system",
                `/apis/coordination.k8s.io/v1/${system}/leases/kube-controller-manager`,
            ),
            ...tried.map((name) => podOf(call, name)),
            nodeTrials(call),
        ]),
        list<WebhookConfiguration>(caller, `${registration}/validatingwebhookconfigurations`),
        list<WebhookConfiguration>(caller, `${registration}/mutatingwebhookconfigurations`),
        Promise.all(
            ["kube-system", "kube-node-lease"].map((name) =>
                ifFound(call<Partial<ApiObject>>(`/api/v1/namespaces/${name}`)),
            ),
        ),
        list<ApiObject>(caller, `/api/v1/${system}/limitranges`),
    ]);
    const webhooks = [
        ...validating.flatMap((each) => webhooksOf("ValidatingWebhookConfiguration", each)),
        ...mutating.flatMap((each) => webhooksOf("MutatingWebhookConfiguration", each)),
    ];
    return {
        trials: trials.flat().filter((trial) => trial !== undefined),
        webhooks: await Promise.all(
            webhooks.map(async (webhook) => ({
                ...webhook,
                ...(webhook.service && { hasEndpoints: await hasEndpoints(caller, webhook.service) }),
            })),
        ),
        labels: Object.fromEntries(
            namespaces.flatMap((each) => (each?.metadata ? [[each.metadata.name, each.metadata.labels ?? {}]] : [])),
        ),
        limitRanges: limitRanges.map(({ metadata }) => metadata.name),
        seconds: milliseconds / 1000,
    };
}

async function nodeTrials(call: Caller["call"]): Promise<(Trial | undefined)[]> {
    const [node] = (await call<List<Node>>("/api/v1/nodes?limit=1")).items;
    if (node === undefined) return [];
    const { name } = node.metadata;
    return Promise.all([
        patched(call, "nodes", `/api/v1/nodes/${name}/status`),
        patched(call, "leases of nodes", `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`),
    ]);
}

function patched(call: Caller["call"], words: string, path: string): Promise<Trial | undefined> {
    return trial(words, async () => {
        await patch({ call }, `${path}?dryRun=All`, "merge", mark);
        return undefined;
    });
}

/** Tries a pod as the DaemonSet controller would create it. */
async function podOf(call: Caller["call"], name: string): Promise<Trial | undefined> {
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

/** Result of a dry run; undefined if there is no such object. Errors that say nothing about admission are thrown. */
async function trial(
    words: string,
    act: () => Promise<{ readonly sent: PodShape; readonly admitted: PodShape } | undefined>,
): Promise<Trial | undefined> {
    try {
        const shapes = await act();
        return { words, ...(shapes && { shapes }) };
    } catch (error) {
        if (error instanceof ApiError) {
            if (error.status === 404) return undefined;
            if (/is forbidden: User "/.test(error.message)) throw error;
            return { words, refusal: error.message };
        }
        const { name, cause } = error as { name?: string; cause?: { name?: string } };
        if ([name, cause?.name].includes("TimeoutError")) return { words, isSilent: true };
        throw error;
    }
}

function shapeOf({ containers, initContainers = [] }: PodSpec): PodShape {
    const all = [...initContainers, ...containers];
    return Object.fromEntries(all.map(({ name, resources }) => [name, (resources?.limits ?? {}) as ContainerLimits]));
}

function webhooksOf(kind: Webhook["kind"], { metadata, webhooks = [] }: WebhookConfiguration): Webhook[] {
    return webhooks.map((each, index) => ({
        ...{ kind, configuration: metadata.name, index, name: each.name },
        failsClosed: each.failurePolicy !== "Ignore",
        rules: each.rules ?? [],
        namespaces: each.namespaceSelector ?? {},
        isSelective: Object.keys(each.objectSelector ?? {}).length > 0 || (each.matchConditions ?? []).length > 0,
        ...(each.clientConfig.service && { service: each.clientConfig.service }),
    }));
}

async function hasEndpoints(api: Caller, { namespace, name }: NonNullable<Webhook["service"]>): Promise<boolean> {
    const selector = encodeURIComponent(`kubernetes.io/service-name=${name}`);
    const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${selector}`;
    const slices = await list<EndpointSlice>(api, path);
    return slices.some(({ endpoints }) => (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false));
}
