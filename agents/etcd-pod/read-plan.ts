import { type Check, isAbsolutePath, isText, problemsOf, readPlanFile } from "../common/read-plan";
import type { EtcdPodPlan } from "./plan";

export function readPlan(path: string): EtcdPodPlan {
    return readPlanFile<EtcdPodPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems(plan: EtcdPodPlan): string[] {
    const { images, goneSeconds = 1 } = plan;
    return problemsOf([
        [isText(images), "images", "a text", images],
        ...(["staticPod", "pki", "data"] as const).map(
            (key): Check => [isAbsolutePath(plan[key]), key, "an absolute path", plan[key]],
        ),
        [goneSeconds > 0, "goneSeconds", "a positive number", goneSeconds],
    ]);
}
