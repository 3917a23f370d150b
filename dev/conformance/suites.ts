import { readFileSync } from "node:fs";
import { join } from "node:path";
import { notApplicable } from "./not-applicable";

/** A selection of Kubernetes' end-to-end tests, by regular expressions on their full names. */
export interface Suite {
    readonly about: string;
    readonly focus: string;
    /** @default - none is skipped */
    readonly skip?: string;
}

/** The specs of `subset.txt`: each of another kind of API or node behavior, all of them quick. */
export function subsetNames(): readonly string[] {
    const text = readFileSync(join(__dirname, "subset.txt"), "utf8");
    return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

/** Every suite, by its name on the command line. */
export const suites = {
    conformance: { about: "all conformance specs, as the CNCF wants them", focus: "\\[Conformance\\]" },
    subset: {
        about: "a few dozen of them in minutes, as in every `npm test`",
        focus: `(${subsetNames().map(literally).join("|")}).*\\[Conformance\\]`,
    },
    netpol: { about: "network policies", focus: "\\[sig-network\\] Netpol", skip: skipping() },
    others: {
        about: "the other specs that apply to every cluster: apps, auth, cli, instrumentation, network, storage",
        focus: "\\[sig-(apps|auth|cli|instrumentation|network|storage)\\]",
        skip: `\\[Conformance\\]|\\[sig-network\\] Netpol|${skipping()}`,
    },
} as const satisfies Readonly<Record<string, Suite>>;

export type SuiteName = keyof typeof suites;

export const SUITES = Object.keys(suites) as readonly SuiteName[];

function skipping(): string {
    return notApplicable.map(({ pattern }) => pattern).join("|");
}

/** A text as a regular expression that matches it. */
function literally(text: string): string {
    return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
