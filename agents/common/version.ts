/** Major and minor number of a version such as `1.36.3` or `v1.36.3`. */
export function minorOf(version: string): readonly [number, number] {
    const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? [];
    if (major === undefined || minor === undefined) {
        throw new Error(`a version must be <major>.<minor>.<patch>, got ${version}`);
    }
    return [Number(major), Number(minor)];
}

/** Whether the minor version of one is above that of the other. Patches do not count, as in Kubernetes' skew policy. */
export function isNewerMinor(version: string, other: string): boolean {
    const [[major, minor], [otherMajor, otherMinor]] = [minorOf(version), minorOf(other)];
    return major > otherMajor || (major === otherMajor && minor > otherMinor);
}
