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
