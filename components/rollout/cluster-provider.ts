import { setTimeout as sleep } from "node:timers/promises";
import { Provider, type ProviderArgs } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { type ApiClient, list, patch } from "../../clients/kubernetes/api-client";
import { ApiError, describeError } from "../../clients/kubernetes/api-error";
import { withKubeconfig } from "../../clients/kubernetes/checked-client";
import { Discovery } from "../../clients/kubernetes/discovery";
import { type Event, type LabelSelector, type Pod, type Typed, titleOf } from "../../clients/kubernetes/objects";
import { isKnown, takesHooks } from "../pulumi/engine";
import { inProgram, joinHooks, withUrn } from "../pulumi/hooks";
import { log } from "../pulumi/log";
import { describeChange, foreignChanges, type LiveObject, takenOver } from "./foreign-changes";
import { problemsOf } from "./pod-problems";

/**
 * Provider of everything that a stack manages inside its cluster, with hooks around each change, whatever plugin makes
 * it: they report why the pods of a failed rollout are not ready, and take over what others changed.
 */
export class ClusterProvider extends Provider {
    readonly hooks: pulumi.ResourceHookBinding;
    readonly #kubeconfig: pulumi.Output<string>;

    /** @param kubeconfig - administrator's, in plain text */
    constructor(
        name: string,
        args: ProviderArgs & { readonly kubeconfig: pulumi.Output<string> },
        opts?: pulumi.ResourceOptions,
    ) {
        super(name, args, opts);
        this.#kubeconfig = args.kubeconfig;
        this.hooks = takesHooks() ? createHooks(name, (act) => this.ask(act)) : {};
    }

    /** Acts as the administrator. Fails if a preview does not know the kubeconfig. */
    async ask<T>(act: (api: ApiClient) => Promise<T>): Promise<T> {
        return withKubeconfig(await knownText(this.#kubeconfig), "tradewind-up", act);
    }
}

/** Hooks for the options of an object of a provider, including its own hooks. */
export function objectHooks({ provider, hooks }: pulumi.CustomResourceOptions): pulumi.ResourceHookBinding | undefined {
    if (!(provider instanceof ClusterProvider)) return hooks;
    return joinHooks(hooks ?? {}, provider.hooks);
}

function createHooks(name: string, ask: ClusterProvider["ask"]): pulumi.ResourceHookBinding {
    const isPreview = pulumi.runtime.isDryRun();
    const takeOver = async ({ urn, newInputs, oldInputs }: pulumi.ResourceHookArgs) => {
        const sides = { desired: newInputs as unknown as Typed, before: oldInputs ?? {} };
        // A preview continues without an API; this is reported elsewhere.
        const undone = await ask((api) => undo(api, sides, isPreview)).catch((error) =>
            isPreview ? [] : [`could not check whether others changed it: ${describeError(error)}`],
        );
        for (const text of undone) await log.warn(text, withUrn(urn));
    };
    const explain = async ({ urn, newInputs }: pulumi.ErrorHookArgs) => {
        const words = ask((api) => lastWords(api, newInputs as Workload));
        const said = await words.catch((error) => [`could not get its pods: ${describeError(error)}`]);
        for (const text of said) await log.error(text, withUrn(urn));
        // Not retried.
        return false;
    };
    const before = new pulumi.ResourceHook(`${name}-foreign-changes`, inProgram(takeOver), { onDryRun: true });
    const failed = new pulumi.ErrorHook(`${name}-last-words`, inProgram(explain));
    return { beforeUpdate: [before], onError: [failed] };
}

/** The text of an output. Fails if a preview does not know it, because its `apply` would never be called. */
async function knownText(output: pulumi.Output<string>): Promise<string> {
    if (!(await isKnown(output))) throw new Error("its kubeconfig is not known yet");
    return new Promise((resolve) => void output.apply(resolve));
}

/** An object whose pods Pulumi waits for. */
interface Workload {
    readonly kind?: string;
    readonly metadata?: { readonly name?: string; readonly namespace?: string };
    readonly spec?: { readonly selector?: LabelSelector };
}

/** More would be repetitive. */
const most = 5;

/** Why the pods of a failed rollout are not ready; if there are none, why none were created. */
export async function lastWords(api: ApiClient, { kind, metadata, spec }: Workload): Promise<string[]> {
    const { name = "", namespace = "default" } = metadata ?? {};
    const labels = kind === "Job" ? { "job-name": name } : spec?.selector?.matchLabels;
    if (labels === undefined) return [];
    const selector = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
    const path = `/api/v1/namespaces/${namespace}`;
    const pods = await list<Pod>(api, `${path}/pods?labelSelector=${encodeURIComponent(selector.join(","))}`);
    const problems = pods.flatMap(problemsOf);
    if (problems.length > 0) return problems.slice(0, most);
    const events = await list<Event>(api, `${path}/events?fieldSelector=reason%3DFailedCreate`);
    const own = events
        .filter(({ involvedObject: about }) => makes(about, kind, name))
        .flatMap(({ message }) => message ?? []);
    return [...new Set(own)].slice(-1).map((message) => `no pod can be created: ${message}`);
}

/** The pods of a Deployment are created by a ReplicaSet with its name and a hash. */
function makes(about: Event["involvedObject"], kind: string | undefined, name: string): boolean {
    if (kind !== "Deployment") return about.kind === kind && about.name === name;
    return about.kind === "ReplicaSet" && about.name?.replace(/-[^-]+$/, "") === name;
}

const tries = 5;

/**
 * Takes over fields of an object that others changed, before it is updated, so that the stack's values apply and
 * dropped fields are removed. A preview only reports them.
 *
 * @returns the changes to be undone, one line each
 */
async function undo(
    api: ApiClient,
    { desired, before }: { readonly desired: Typed; readonly before: object },
    isPreview: boolean,
): Promise<string[]> {
    const path = await new Discovery(api).path(desired);
    for (let count = 1; ; count++) {
        const live = await api.call<LiveObject>(path);
        const sides = { live, desired, before };
        const changes = foreignChanges(sides);
        const owners = isPreview ? undefined : takenOver(sides);
        try {
            if (owners) await setOwners(api, path, live, owners);
            const what = titleOf(desired);
            const verb = isPreview ? "`up` will undo" : "undoing";
            return changes.map((change) => `${what}: ${describeChange(change)}; ${verb} that, since the stack owns it`);
        } catch (error) {
            // The object was changed meanwhile.
            if (!(error instanceof ApiError && [409, 422].includes(error.status)) || count === tries) throw error;
            await sleep(200);
        }
    }
}

async function setOwners(api: ApiClient, path: string, live: LiveObject, owners: readonly object[]): Promise<void> {
    await patch(api, `${path}?fieldManager=tradewind-up`, "json", [
        { op: "test", path: "/metadata/resourceVersion", value: live.metadata?.resourceVersion },
        { op: "replace", path: "/metadata/managedFields", value: owners },
    ]);
}
