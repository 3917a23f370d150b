import { AsyncResource } from "node:async_hooks";
import { Provider, type ProviderArgs } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { ApiClient } from "../../agents/common/api-client";
import { describeError } from "../../agents/common/api-error";
import { readKubeconfig } from "../cluster/kubeconfig";
import { isKnown } from "../known";
import { takesHooks } from "../takes-hooks";
import { lastWords, type Workload } from "./last-words";
import { type ApiObject, undo } from "./undo";

/**
 * The provider of what a stack owns within its cluster, and what is done around each change of that, whatever plugin
 * makes it: the pods of a rollout that failed are asked for their last words, and what others changed is taken over.
 */
export class ClusterProvider extends Provider {
    readonly hooks: pulumi.ResourceHookBinding;

    /** @param kubeconfig - administrator's, in plain text */
    constructor(
        name: string,
        args: ProviderArgs & { readonly kubeconfig: pulumi.Output<string> },
        opts?: pulumi.ResourceOptions,
    ) {
        super(name, args, opts);
        this.hooks = takesHooks() ? createHooks(name, args.kubeconfig) : {};
    }
}

/** What goes into the options of an object of a provider, its own hooks included. */
export function objectHooks({ provider, hooks }: pulumi.CustomResourceOptions): pulumi.ResourceHookBinding | undefined {
    if (!(provider instanceof ClusterProvider)) return hooks;
    const { beforeUpdate = [], onError = [] } = provider.hooks;
    return {
        ...hooks,
        beforeUpdate: [...(hooks?.beforeUpdate ?? []), ...beforeUpdate],
        onError: [...(hooks?.onError ?? []), ...onError],
    };
}

function createHooks(name: string, kubeconfig: pulumi.Output<string>): pulumi.ResourceHookBinding {
    const ask = async <T>(act: (api: ApiClient) => Promise<T>): Promise<T> => {
        const { server, credentials } = readKubeconfig(await knownText(kubeconfig));
        const api = new ApiClient(server, () => credentials, "tradewind-up");
        try {
            return await act(api);
        } finally {
            // The program ends when nothing is open any more.
            api.reconnect();
        }
    };
    const isPreview = pulumi.runtime.isDryRun();
    const takeOver = async ({ urn, newInputs, oldInputs }: pulumi.ResourceHookArgs) => {
        const sides = { wanted: (newInputs ?? {}) as ApiObject, before: (oldInputs ?? {}) as ApiObject };
        // A preview goes on without an API, and says so elsewhere.
        const undone = await ask((api) => undo(api, sides, isPreview)).catch((error) =>
            isPreview ? [] : [`whether others changed it can't be seen: ${describeError(error)}`],
        );
        for (const text of undone) await pulumi.log.warn(text, withUrn(urn));
    };
    const explain = async ({ urn, newInputs }: pulumi.ErrorHookArgs) => {
        const words = ask((api) => lastWords(api, newInputs as Workload));
        const said = await words.catch((error) => [`its pods can't be asked: ${describeError(error)}`]);
        for (const text of said) await pulumi.log.error(text, withUrn(urn));
        // It is not tried again.
        return false;
    };
    // The engine calls them from without, where a program of the Automation API has no engine to log to.
    const bound = AsyncResource.bind.bind(AsyncResource);
    const before = new pulumi.ResourceHook(`${name}-foreign-changes`, bound(takeOver), { onDryRun: true });
    const failed = new pulumi.ErrorHook(`${name}-last-words`, bound(explain));
    return { beforeUpdate: [before], onError: [failed] };
}

/** The text of an output; fails where a preview does not know it, whose `apply` would never be called. */
async function knownText(output: pulumi.Output<string>): Promise<string> {
    if (!(await isKnown(output))) throw new Error("its kubeconfig is not known yet");
    return new Promise((resolve) => void output.apply(resolve));
}

/** What a message is about, where only its name is known. */
function withUrn(urn: string): pulumi.Resource {
    return { urn: pulumi.output(urn) } as pulumi.Resource;
}
