import { clientOf, connectionOf } from "../../clients/kubernetes/kubeconfig";
import { resolveCluster } from "../../cluster/resolve";
import { waitUntilReady } from "../../local/ready";
import { versions } from "../../versions";
import { stackRecord } from "../reach/stack-record";
import { type Context, checks, removeChecks } from "./checks";
import { replacing, reportable } from "./config";
import { end, howToDestroy } from "./end";
import { nodeNames, waitForReplacement, waitForWorker } from "./nodes";
import type { Result } from "./report";
import { Run } from "./run";
import type { VerifyStack } from "./stack";
import { untilHealthy } from "./target-health";

type Say = (line: string) => void;

/** What a run does with a cluster that exists. */
interface Parts {
    readonly ready: (stack: VerifyStack, say: Say) => Promise<string>;
    readonly smoke: (stack: VerifyStack, run: Run) => Promise<void>;
    readonly replace: (stack: VerifyStack, say: Say) => Promise<string>;
}

/**
 * Creates the cluster, checks and changes it, and destroys it in any case. The state is only removed once the account
 * has nothing of the cluster.
 *
 * A step that fails ends the run, except for checks of one thing each: the others still run. Never throws.
 */
export async function verify(
    stack: VerifyStack,
    cost: string,
    parts: Parts = { ready, smoke, replace },
    run = new Run(),
): Promise<Result> {
    const began = new Date();
    const config = reportable(stack.config);
    const left = await run.protect(async () => {
        // Also an error outside every step must not prevent the destroy.
        await change(stack, run, parts).catch((error) => run.step("continue", "", () => Promise.reject(error)));
        run.resume();
        return end(stack, run);
    });
    const { steps } = run;
    const passed = steps.every(({ outcome }) => outcome === "passed") && left.length === 0;
    if (left.length > 0) console.log(`\n${howToDestroy(stack, left).join("\n")}`);
    return {
        ...{ cloud: stack.cloud, passed, began: began.toISOString(), cost, config, steps, left },
        versions: { tradewind: require("../../package.json").version, node: process.version, pulumi: versions.pulumi },
        ...(left.length > 0 && { howToDestroy: howToDestroy(stack, left) }),
    };
}

async function change(stack: VerifyStack, run: Run, { ready, smoke, replace }: Parts): Promise<void> {
    const isUp =
        (await run.step("create", "the cluster", (say) => stack.up(say))) &&
        (await run.step("ready", "every node, and every pod of kube-system", (say) => ready(stack, say)));
    if (!isUp) return;
    const { targetHealth } = stack;
    if (targetHealth) {
        await run.step("target health", "of the API's load balancers", (say) => untilHealthy(targetHealth, say));
    }
    await smoke(stack, run);
    await run.step("change a flag", "of kube-apiserver", async (say) => {
        stack.set({ "tradewind:components": { ...components(stack), kubeApiserver: { v: "1" } } });
        await stack.up(say);
        return ready(stack, say);
    });
    await run.step("replace a node", "the worker, by another boot configuration", (say) => replace(stack, say));
}

async function smoke(stack: VerifyStack, run: Run): Promise<void> {
    let context: Context | undefined;
    await run.step("access", "the API with the stack's kubeconfig", async () => {
        const { images } = resolveCluster((await stackRecord(stack.state)).options);
        const { kubeconfig } = await stack.access();
        const api = clientOf(connectionOf(kubeconfig, {}), "tradewind-verify-cloud");
        context = { api, image: images.node, nodes: await nodeNames(api) };
        return undefined;
    });
    if (!context) return;
    const chosen: Context = context;
    const { "tradewind:cloudController": cloudController, "tradewind:csiDriver": csiDriver } = stack.config;
    const selection = { volumes: isOn(csiDriver), loadBalancers: isOn(cloudController) };
    await chosen.api.closeAfter(async () => {
        for (const { name, what, check } of checks(selection)) {
            await run.step(name, what, (say) => check(chosen, say));
        }
        // Load balancers and volumes of Services and claims are the cluster's own to delete.
        await run.step("remove the checks", "pods, claims and Services", (say) => removeChecks(chosen, say));
    });
}

async function ready(stack: VerifyStack, say: Say): Promise<string> {
    const { kubeconfig, nodes } = await stack.access();
    const { times } = await waitUntilReady({ kubeconfig }, nodes, say);
    const joined = clientOf(connectionOf(kubeconfig, {}), "tradewind-verify-cloud").closeAfter((api) =>
        waitForWorker(api, say),
    );
    // Also if no worker joins: then they say why.
    const launches = await joined.then(
        () => stack.launches(),
        async (error: Error) => {
            throw new Error([error.message, ...(await stack.launches())].join("\n"));
        },
    );
    return [`${times.length} nodes: ${times.map(({ name }) => name).join(", ")}`, ...launches].join("; ");
}

async function replace(stack: VerifyStack, say: Say): Promise<string> {
    const { kubeconfig } = await stack.access();
    return clientOf(connectionOf(kubeconfig, {}), "tradewind-verify-cloud").closeAfter(async (api) => {
        const before = await nodeNames(api);
        stack.set(replacing(stack.config, stack.cloud, stack.name));
        await stack.up(say);
        const detail = await waitForReplacement(api, before, say);
        await ready(stack, say);
        return detail;
    });
}

function components(stack: VerifyStack): object {
    return (stack.config["tradewind:components"] ?? {}) as object;
}

function isOn(value: unknown): boolean {
    return value === true || value === "true";
}
