import type { KubernetesObject } from "../object";

/** Progress of an object. */
export interface Readiness {
    readonly isReady: boolean;
    /** The progress in readable form: `Updated: 0/1`. */
    readonly message: string;
    /** It will never become ready. */
    readonly hasFailed?: boolean;
    /** The reason, if it never becomes ready. */
    readonly reasons?: readonly string[];
}

/** Reads what an object depends on from the cluster; returns nothing if that fails. */
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
    /** Whether the error of a timeout is just the progress. @default it has the reasons and the pods' problems */
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
