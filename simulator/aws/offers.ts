type Architecture = "x86_64" | "arm64";

/** Of an instance type, as its name tells. */
export function architectureOf(instanceType: string): Architecture {
    return /^(a1|[a-z]+\d+[a-z]*g[a-z]*)\./.test(instanceType) ? "arm64" : "x86_64";
}

/** Of an AMI, as its name tells here. */
export function architectureOfImage(name: string): Architecture {
    return name.includes("-arm64") ? "arm64" : "x86_64";
}
