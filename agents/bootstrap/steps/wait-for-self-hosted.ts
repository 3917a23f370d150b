import { describePassing } from "../../common/api-error";
import { waitFor } from "../../common/wait";
import type { Run, Step } from "../run";
import { componentProblem, podsOn } from "../self-hosted";

/** The new processes serve: each of them, itself, on this machine. */
export const waitForSelfHosted: Step = {
    name: "wait-for-self-hosted",
    run: async (run) => {
        await waitFor(run, "the self-hosted control plane", () => look(run), { everyMilliseconds: 200 });
        return run.plan.selfHosted.map(({ name }) => name).join(", ");
    },
};

async function look({ api, plan, state }: Run): Promise<string | undefined> {
    try {
        const namespaces = [...new Set(plan.selfHosted.map(({ namespace }) => namespace))];
        const pods = new Map(
            await Promise.all(
                namespaces.map(async (namespace) => [namespace, await podsOn(api, namespace, plan.nodeName)] as const),
            ),
        );
        const isPivoted = state.pivotedAt !== undefined || plan.recovery !== undefined;
        const problems = await Promise.all(
            plan.selfHosted.map((component) =>
                componentProblem(api, component, pods.get(component.namespace) ?? [], isPivoted),
            ),
        );
        return problems.filter(Boolean).join("; ") || undefined;
    } catch (error) {
        return describePassing(error);
    }
}
