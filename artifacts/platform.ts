const ARCHITECTURES: Readonly<Record<string, { arch: string; x64: string; triplet: string }>> = {
    x64: { arch: "amd64", x64: "x64", triplet: "x86_64-linux-gnu" },
    arm64: { arch: "arm64", x64: "arm64", triplet: "aarch64-linux-gnu" },
};

/** This machine's processor in Go's and Debian's spelling, in Node's, and as the folder of its libraries. */
export function platform(): { arch: string; x64: string; triplet: string } {
    const found = ARCHITECTURES[process.arch];
    if (!found) {
        throw new Error(`processor must be ${Object.keys(ARCHITECTURES).join(" or ")}, got ${process.arch}`);
    }
    return found;
}

/** Fills `{arch}`, `{x64}` and the like in a template of the lock. */
export function expand(template: string, more: Readonly<Record<string, string>> = {}): string {
    const values: Readonly<Record<string, string>> = { ...platform(), ...more };
    return template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
