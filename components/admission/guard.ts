import type * as pulumi from "@pulumi/pulumi";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import type { UpgradeProblem } from "../../cluster/upgrades/problem";
import { log } from "../pulumi/log";
import { admissionProblems } from "./judge";
import { observeAdmission } from "./observe";

/** Milliseconds: longer than the default timeout of webhooks, 10 s. */
const trialMilliseconds = 12_000;

/**
 * Reasons why kube-system would refuse objects of the changed cluster. Harmless changes of pods only cause a warning.
 */
export async function admissionRefusals(api: ApiClient, component: pulumi.Resource): Promise<UpgradeProblem[]> {
    const problems = admissionProblems(await observeAdmission(api, trialMilliseconds));
    for (const { effect, message, advice } of problems) {
        if (effect === "alters") await log.warn(`${message}; ${advice}`, component);
    }
    return problems
        .filter(({ effect }) => effect === "blocks" || effect === "limits")
        .map(({ message, advice }) => ({ check: "admission", message: `${message}\n    ${advice}` }));
}
