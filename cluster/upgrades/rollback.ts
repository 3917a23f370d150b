import { isOlderMinor } from "../../clients/kubernetes/minor";
import { knownFlags } from "../flags/known";
import type { Cluster } from "../model";
import { invalid, requireOneOf } from "../validate";
import type { UpgradeProblem } from "./problem";
import { kubernetesMinors } from "./supported";
import { minorOf, minorsBetween } from "./version";

/**
 * Annotation of the Namespace kube-system: the oldest minor version that can read everything stored so far. It is
 * written before a way back, after which flags no longer show it, and belongs to the data: a restored snapshot has its
 * own.
 */
export const readableByAnnotation = "tradewind.dev/readable-by";

/**
 * Number of minor versions for which kube-apiserver can store. Source: `kubeEffectiveVersionFloors` of apiserver.
 */
export const minorsBack = 3;

export const floorFlag = "min-compatibility-version";
export const emulatedFlag = "emulated-version";

type RollbackOptions = Pick<Cluster, "rollbackTo" | "versions">;

/** The option `rollbackTo`. */
export function requireRollbackTo(value: unknown, kubernetes: string): string {
    const readable = minorsBetween("1.0", kubernetes).slice(-1 - minorsBack);
    const legal = kubernetesMinors.filter((each) => readable.includes(each));
    return requireOneOf("rollbackTo", legal, value);
}

/** Flags of kube-apiserver, kube-controller-manager and kube-scheduler. Kubernetes 1.34 has none, but its default. */
export function rollbackFlags({ rollbackTo, versions }: RollbackOptions): Record<string, string> {
    const isKnown = knownFlags("kube-apiserver", minorOf(versions.kubernetes))?.has(floorFlag) ?? true;
    return rollbackTo === undefined || !isKnown ? {} : { [floorFlag]: rollbackTo };
}

/** The oldest minor version that can read what a desired kube-apiserver will store. */
export function desiredFloor(cluster: RollbackOptions): string {
    const flags = Object.entries(rollbackFlags(cluster)).map(([name, value]) => `--${name}=${value}`);
    return readableBy(cluster.versions.kubernetes, flags);
}

/**
 * The oldest minor version that can read what a kube-apiserver stores: `1.35`. Unless a flag says otherwise, that is the
 * one before the version that it is or emulates. Source: component-base/compatibility, and `emulatedStorageVersion` of
 * apiserver.
 */
export function readableBy(version: string, flags: readonly string[]): string {
    const [major, minor] = (flagOf(flags, emulatedFlag) ?? version).split(".");
    return flagOf(flags, floorFlag) ?? `${major}.${Number(minor) - 1}`;
}

/** The newest of minor versions: older ones may not read all of it. */
export function newestMinor(minors: readonly string[]): string | undefined {
    return [...minors].sort((one, other) => (isOlderMinor(one, other) ? -1 : 1)).at(-1);
}

/** What a preview says about versions that it is the last chance to go back to; nothing if there are none. */
export function givenUp(cluster: RollbackOptions, appliedFloor: string): string | undefined {
    const floor = desiredFloor(cluster);
    const lost = minorsBetween(appliedFloor, floor).filter((each) => each !== floor && kubernetesMinors.includes(each));
    if (lost.length === 0) return undefined;
    const [oldest] = lost;
    return `this gives up the way back to Kubernetes ${lost.join(" and ")}; rollbackTo: "${oldest}" keeps it`;
}

/** Whether `rollbackTo` promises more than is possible, because of what is stored already. */
export function rollbackProblems({ rollbackTo }: RollbackOptions, stored: string): UpgradeProblem[] {
    if (rollbackTo === undefined || !isOlderMinor(rollbackTo, stored)) return [];
    const legal = `${stored} or newer: older versions may not read what is stored`;
    return [{ check: "version", message: invalid("rollbackTo", legal, rollbackTo).message }];
}

/** A minor version in a flag, such as `--emulated-version=1.35` or `--emulated-version=kube=1.35`. */
export function flagOf(flags: readonly string[], name: string): string | undefined {
    const pattern = new RegExp(`^--${name}=(?:.*,)?(?:kube=)?(\\d+\\.\\d+)`);
    return flags.map((flag) => pattern.exec(flag)?.[1]).findLast((value) => value !== undefined);
}
