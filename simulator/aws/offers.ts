type Architecture = "x86_64" | "arm64";

/** Of an instance type, as its name tells. */
export function architectureOf(instanceType: string): Architecture {
    return /^(a1|[a-z]+\d+[a-z]*g[a-z]*)\./.test(instanceType) ? "arm64" : "x86_64";
}

/** Of an AMI, as its name tells here. */
export function architectureOfImage(name: string): Architecture {
    return /-(arm64|aarch64)\b/.test(name) ? "arm64" : "x86_64";
}

/** How what an AMI has takes its configuration, as its name tells here. */
export function osOfImage(name: string): "ignition" | "cloud-init" {
    return /ubuntu/i.test(name) ? "cloud-init" : "ignition";
}

/** Whether it has containerd, as its name tells here: a distribution's own that takes cloud-init has none. */
export function hasRuntime(name: string): boolean {
    return osOfImage(name) === "ignition" || name.includes("containerd");
}

/** Where what an AMI has is its root volume. */
export function rootDeviceOfImage(name: string): string {
    return /ubuntu/i.test(name) ? "/dev/sda1" : "/dev/xvda";
}

/** Fedora's, by the third number of a version. Source: Fedora CoreOS' documentation of versions. */
const streams: Readonly<Record<string, string>> = { 1: "next", 2: "testing", 3: "stable" };

/** What an AMI's publisher says of it, by its name here. */
export function descriptionOfImage(name: string): string {
    const [, version = "", stream = "", cpu = ""] = /^fedora-coreos-(\d+\.\d+\.(\d)\.\d+)-(\w+)$/.exec(name) ?? [];
    return version ? `Fedora CoreOS ${streams[stream]} ${version} ${cpu}` : name;
}

interface Size {
    readonly cpus: number;
    /** Unit: MiB. */
    readonly memory: number;
}

/** Instance types that EC2 tells of here. Source: Amazon EC2 instance types. */
export const instanceTypes: Readonly<Record<string, Size>> = {
    "t3.small": { cpus: 2, memory: 2048 },
    "t3.medium": { cpus: 2, memory: 4096 },
    "t3.large": { cpus: 2, memory: 8192 },
    "t3a.medium": { cpus: 2, memory: 4096 },
    "t4g.medium": { cpus: 2, memory: 4096 },
    "m5.large": { cpus: 2, memory: 8192 },
    "m6g.large": { cpus: 2, memory: 8192 },
    "c5.large": { cpus: 2, memory: 4096 },
};
