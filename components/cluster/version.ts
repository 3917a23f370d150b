import { coerce, valid } from "semver";

/** Sorts versions, the oldest first. */
export { compare as byVersion } from "semver";

/** `v1.36.3` or `v1.36.3+build` as `1.36.3`. */
export function plainVersion(text: string): string {
    return coerce(text)?.version ?? text;
}

/** The version in an image's tag, if it has one that is a version. */
export function versionOfImage(image: string): string | undefined {
    const [, tag] = /:v?(\d[\w.+-]*)(?:@.*)?$/.exec(image) ?? [];
    return tag === undefined || valid(tag) === null ? undefined : plainVersion(tag);
}
