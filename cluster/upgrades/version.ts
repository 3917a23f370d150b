import { coerce, major, minor, valid } from "semver";

/** Sorts versions, oldest first. */
export { compare as byVersion } from "semver";

/** `v1.36.3` or `v1.36.3+build` as `1.36.3`. */
export function plainVersion(text: string): string {
    return coerce(text)?.version ?? text;
}

/** `1.36` of `1.36.3`. */
export function minorOf(version: string): string {
    return `${major(version)}.${minor(version)}`;
}

/** Minor versions that may follow a version: its own and the next one. */
export function minorsAfter(from: string): string[] {
    return [minorOf(from), `${major(from)}.${minor(from) + 1}`];
}

/** Minor versions from one to another, both included: `1.34`, `1.35`, `1.36`. */
export function minorsBetween(from: string, to: string): string[] {
    const [first, last] = [from, to].map((each) => Number(each.split(".")[1]));
    const count = Math.max(0, last! - first! + 1);
    return Array.from({ length: count }, (_, index) => `${from.split(".")[0]}.${first! + index}`);
}

/** The version in an image's tag, if it is one. */
export function versionOfImage(image: string): string | undefined {
    const [, tag] = /:v?(\d[\w.+-]*)(?:@.*)?$/.exec(image) ?? [];
    return tag === undefined || valid(tag) === null ? undefined : plainVersion(tag);
}

/**
 * All versions in a URL, without the `v`, except for those directly after a name, such as `go1.25.3`: they are not the
 * file's.
 */
export function versionsInUrl(url: string): string[] {
    return [...url.matchAll(/(?<=[/_=-]v?)\d+\.\d+\.\d+(?!\.?\d)/g)].map(([version]) => version);
}

/** The version in a URL's file name, which mirrors with their own folders keep. */
export function versionOfFile(url: string): string | undefined {
    return versionsInUrl(url.slice(url.lastIndexOf("/"))).at(-1);
}
