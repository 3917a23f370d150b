import type { Architecture } from "../nodes/published";

export type { Architecture } from "../nodes/published";

/**
 * The architecture of an instance type: those with AWS' own processors have a `g` after their generation, but for the
 * first one. Source: "Amazon EC2 instance type naming conventions".
 */
export function architectureOf(instanceType: string): Architecture {
    return /^(a1|[a-z]+\d+[a-z]*g[a-z]*|p6e-gb\d+)\./.test(instanceType) ? "arm64" : "amd64";
}
