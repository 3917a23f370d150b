/** Major and minor number of a version such as `1.36`, `1.36.3` or `v1.36.3`. */
export function minorOf(version: string): readonly [number, number] {
    const [, major, minor] = /^v?(\d+)\.(\d+)(?:\.|$)/.exec(version) ?? [];
    if (major === undefined || minor === undefined) {
        throw new Error(`a version must be <major>.<minor> or <major>.<minor>.<patch> (got ${version})`);
    }
    return [Number(major), Number(minor)];
}

/**
 * Whether a version is of an older minor version than another: `1.35.4` than `1.36`. Patches do not count, as in
 * Kubernetes' skew policy.
 */
export function isOlderMinor(version: string, than: string): boolean {
    const [[major, minor], [otherMajor, otherMinor]] = [minorOf(version), minorOf(than)];
    return major < otherMajor || (major === otherMajor && minor < otherMinor);
}
