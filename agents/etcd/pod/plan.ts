import { type Check, isAbsolutePath, isText, problemsOf, readPlanFile } from "../../harness/plan";

/** What the pod of the API asks before it takes a member over: `plan.json`. All else the machine's static pod says. */
export interface EtcdPodPlan {
    /** Images of this very pod, as `imagesWord` has them: the machine's own member must have the same. */
    readonly images: string;
    /** Path of the member's static pod. */
    readonly staticPod: string;
    /** Directory of its certificates. */
    readonly pki: string;
    /** Its `--data-dir`, by which agents lock it. */
    readonly data: string;
    /** Seconds without the machine's own member after which nothing is taken from anybody. @default 10 */
    readonly goneSeconds?: number;
}

export const defaultGoneSeconds = 10;

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
