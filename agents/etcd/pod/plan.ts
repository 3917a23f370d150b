import { type Check, isAbsolutePath, isText, problemsOf, readPlanFile } from "../../harness/plan";

/**
 * Plan (`plan.json`) of an API-managed etcd pod: what it checks before it takes over a member. Everything else comes
 * from the machine's static pod.
 */
export interface EtcdPodPlan {
    /** Images of this pod, in the form of `imagesWord`: the machine's own member must have the same. */
    readonly images: string;
    /** Path of the member's static pod. */
    readonly staticPod: string;
    /** Directory of its certificates. */
    readonly pki: string;
    /** Its `--data-dir`, by which agents lock it. */
    readonly data: string;
    /** Seconds that the machine's own member must be down before it may be taken over at once. @default 10 */
    readonly goneSeconds?: number;
}

export const defaultGoneSeconds = 10;

export function readPlan(path: string): EtcdPodPlan {
    return readPlanFile<EtcdPodPlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems(plan: EtcdPodPlan): string[] {
    const { images, goneSeconds = 1 } = plan;
    return problemsOf([
        [isText(images), "images", "a non-empty string", images],
        ...(["staticPod", "pki", "data"] as const).map(
            (key): Check => [isAbsolutePath(plan[key]), key, "an absolute path", plan[key]],
        ),
        [goneSeconds > 0, "goneSeconds", "a positive number", goneSeconds],
    ]);
}
