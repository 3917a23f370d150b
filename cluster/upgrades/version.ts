import { coerce, major, minor, valid } from "semver";

/** Sorts versions, the oldest first. */
export { compare as byVersion } from "semver";

/** `v1.36.3` or `v1.36.3+build` as `1.36.3`. */
export function plainVersion(text: string): string {
    return coerce(text)?.version ?? text;
}

/** `1.36` of `1.36.3`. */
export function minorOf(version: string): string {
    return `${major(version)}.${minor(version)}`;
}

/** The version in an image's tag, if it has one that is a version. */
export function versionOfImage(image: string): string | undefined {
    const [, tag] = /:v?(\d[\w.+-]*)(?:@.*)?$/.exec(image) ?? [];
    return tag === undefined || valid(tag) === null ? undefined : plainVersion(tag);
}

/** Every version that a URL names, without the `v`. What has a name right before it is not the file's: `go1.25.3`. */
export function versionsInUrl(url: string): string[] {
    return [...url.matchAll(/(?<=[/_=-]v?)\d+\.\d+\.\d+(?!\.?\d)/g)].map(([version]) => version);
}

/** The version in a URL's file name, which a mirror keeps where it has folders of its own. */
export function versionOfFile(url: string): string | undefined {
    return versionsInUrl(url.slice(url.lastIndexOf("/"))).at(-1);
}
