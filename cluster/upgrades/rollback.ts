import { minorsBetween } from "./version";

/**
 * Annotation of the Namespace kube-system: the oldest minor version that can read everything stored so far. It is
 * written before a way back, after which flags no longer show it, and belongs to the data: a restored snapshot has its
 * own.
 */
export const readableByAnnotation = "tradewind.dev/readable-by";

/**
 * The oldest minor version that can read what a kube-apiserver stores: `1.35`. Unless a flag says otherwise, that is the
 * one before the version that it is or emulates. Source: component-base/compatibility, and `emulatedStorageVersion` of
 * apiserver.
 */
export function readableBy(version: string, flags: readonly string[]): string {
    const [major, minor] = (flagOf(flags, "emulated-version") ?? version).split(".");
    return flagOf(flags, "min-compatibility-version") ?? `${major}.${Number(minor) - 1}`;
}

/** The newest of minor versions: older ones may not read all of it. */
export function newestMinor(minors: readonly string[]): string | undefined {
    return [...minors].sort((one, other) => (isOlderMinor(one, other) ? -1 : 1)).at(-1);
}

/** Whether a version is of an older minor version than another: `1.35.4` than `1.36`. */
export function isOlderMinor(version: string, than: string): boolean {
    return minorsBetween(than, version).length === 0;
}

/** A minor version in a flag, such as `--emulated-version=1.35` or `--emulated-version=kube=1.35`. */
function flagOf(flags: readonly string[], name: string): string | undefined {
    const pattern = new RegExp(`^--${name}=(?:.*,)?(?:kube=)?(\\d+\\.\\d+)`);
    return flags.map((flag) => pattern.exec(flag)?.[1]).findLast((value) => value !== undefined);
}
