import { readFileSync } from "node:fs";
import { join } from "node:path";
import { notApplicable } from "./not-applicable";

/** A selection of Kubernetes' end-to-end tests, by regular expressions on their full names. */
export interface Suite {
    readonly about: string;
    readonly focus: string;
    /** @default - none is skipped */
    readonly skip?: string;
    /** How many tests of the pinned release it selects. @default - unknown */
    readonly specs?: number;
}

/** The specs of `subset.txt`: each of another kind of API or node behavior, all of them quick. */
export function subsetNames(): readonly string[] {
    const text = readFileSync(join(__dirname, "subset.txt"), "utf8");
    return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

/**
 * Beginnings of names of the subset that go through a cloud's firewalls and load balancer, or between machines. None needs
 * node ports, which AWS' security groups close between nodes by default.
 */
export const cloudNames = [
    "[sig-network] DNS should provide DNS for services",
    "[sig-network] EndpointSlice should support a Service with multiple endpoint IPs",
    "[sig-network] Networking Granular Checks: Pods should function for intra-pod communication: http",
    "[sig-network] Networking Granular Checks: Pods should function for node-pod communication: udp",
    "[sig-network] Proxy version v1 should proxy through a service and a pod",
    "[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should mutate pod",
    "[sig-apps] Deployment RollingUpdateDeployment should delete old pods and create new ones",
    "[sig-auth] ServiceAccounts ServiceAccountIssuerDiscovery should support OIDC discovery",
    "[sig-cli] Kubectl logs logs should be able to retrieve and filter logs",
    "[sig-node] Pods should support remote command execution over websockets",
    "[sig-storage] EmptyDir volumes pod should support shared volumes between containers",
];

/** Every suite, by its name on the command line. */
export const suites = {
    conformance: { about: "all conformance specs, as the CNCF wants them", focus: "\\[Conformance\\]", specs: 462 },
    subset: {
        about: "a few dozen of them in minutes, as in every `npm test`",
        focus: `(${subsetNames().map(literally).join("|")}).*\\[Conformance\\]`,
        specs: 67,
    },
    cloud: {
        about: "eleven of those, for what lies between a cloud's machines",
        focus: `(${cloudNames.map(literally).join("|")}).*\\[Conformance\\]`,
        specs: cloudNames.length,
    },
    // Kubernetes counts enforced policies as a feature.
    netpol: {
        about: "network policies",
        focus: "\\[sig-network\\] Netpol",
        skip: "\\[Feature:SCTPConnectivity\\]",
        specs: 48,
    },
    others: {
        about: "the other specs that apply to every cluster: apps, auth, cli, instrumentation, network, storage",
        focus: "\\[sig-(apps|auth|cli|instrumentation|network|storage)\\]",
        skip: `\\[Conformance\\]|\\[sig-network\\] Netpol|${skipping()}`,
        specs: 322,
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
