import type { KubernetesObject } from "../object";

/** How far an object has come. */
export interface Readiness {
    readonly isReady: boolean;
    /** Where it is, for people: `Updated: 0/1`. */
    readonly message: string;
    /** It will not become ready by waiting. */
    readonly hasFailed?: boolean;
    /** What is wrong, if it never becomes ready. */
    readonly reasons?: readonly string[];
}

/** How to get at what an object depends on. Answers what the cluster has, nothing when it can't be told. */
export interface Surroundings {
    list(apiVersion: string, kind: string, selector: string): Promise<KubernetesObject[]>;
    get(apiVersion: string, kind: string, name: string): Promise<KubernetesObject | undefined>;
}

/** When an object of a kind counts as ready. */
export interface Rule {
    /** Seconds. */
    readonly timeout: number;
    check(object: KubernetesObject, surroundings: Surroundings): Readiness | Promise<Readiness>;
    /** Labels of the pods that explain a delay. */
    readonly pods?: (object: KubernetesObject) => Readonly<Record<string, string>> | undefined;
    /** When time is up the error says just that. @default it has the reasons and what is said of the pods */
    readonly isSilentError?: boolean;
}

export const TEN_MINUTES = 600;
export const FIVE_MINUTES = 300;

export function ready(message: string): Readiness {
    return { isReady: true, message };
}

export function waiting(message: string, ...reasons: string[]): Readiness {
    return { isReady: false, message, reasons };
}

export function failed(message: string, ...reasons: string[]): Readiness {
    return { isReady: false, message, hasFailed: true, reasons };
}
