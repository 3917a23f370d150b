type Architecture = "x86_64" | "arm64";

/** Of an instance type, as its name tells. */
export function architectureOf(instanceType: string): Architecture {
    return /^(a1|[a-z]+\d+[a-z]*g[a-z]*)\./.test(instanceType) ? "arm64" : "x86_64";
}

/** Of an AMI, as its name tells here. */
export function architectureOfImage(name: string): Architecture {
    return /-(arm64|aarch64)\b/.test(name) ? "arm64" : "x86_64";
}

/** Fedora's, by the third number of a version. Source: Fedora CoreOS' documentation of versions. */
const streams: Readonly<Record<string, string>> = { 1: "next", 2: "testing", 3: "stable" };

/** What an AMI's publisher says of it, by its name here. */
export function descriptionOfImage(name: string): string {
    const [, version = "", stream = "", cpu = ""] = /^fedora-coreos-(\d+\.\d+\.(\d)\.\d+)-(\w+)$/.exec(name) ?? [];
    return version ? `Fedora CoreOS ${streams[stream]} ${version} ${cpu}` : name;
}
