import { appendFileSync } from "node:fs";

interface Behaviour {
    readonly what: string;
    readonly cloud: "AWS" | "DigitalOcean" | "both";
    /** Only machines notice it: a dry run has none. @default false */
    readonly needsMachines?: boolean;
}

/**
 * How the simulated clouds are hostile, as the real ones are. Each is recorded when it really happens, so that the table
 * of tests in docs/hostile-clouds.md says what each one ran under.
 */
export const behaviours = {
    throttling: { cloud: "both", what: "calls are refused because there are too many (`RequestLimitExceeded`, 429)" },
    quota: { cloud: "both", what: "the account's limit of vCPUs, addresses or droplets is reached" },
    "late load balancer": { cloud: "both", what: "a load balancer starts late, and nothing can use it before" },
    "paced health checks": {
        ...{ cloud: "both", needsMachines: true },
        what: "targets are checked at the configured pace; without a healthy one AWS uses all, DigitalOcean none",
    },
    "changed by others": { cloud: "both", what: "a refresh finds that others changed or deleted a resource" },
    "late profile": { cloud: "AWS", what: "EC2 does not know a new instance profile (`Invalid IAM Instance Profile`)" },
    "late policy": {
        cloud: "AWS",
        what: "a new policy of a role allows nothing yet, an updated one what it did before",
    },
    "late read": { cloud: "AWS", what: "EC2 does not describe yet what was just created" },
    "late detach": { cloud: "AWS", what: "a volume is still detaching (`VolumeInUse`)" },
    "late termination": {
        cloud: "AWS",
        what: "an instance is shutting down, up to the provider's limit of 20 minutes",
    },
    "no capacity": { cloud: "AWS", what: "a zone has none for an instance type (`InsufficientInstanceCapacity`)" },
    "failed status check": { cloud: "AWS", what: "an instance or its host is impaired; only groups replace it" },
    "left interfaces": {
        cloud: "AWS",
        what: "interfaces of deleted load balancers keep subnets and groups (`DependencyViolation`)",
    },
    "no stop": { cloud: "AWS", what: "a terminated instance cannot be stopped (`IncorrectInstanceState`)" },
    "default tags": { cloud: "AWS", what: "the provider adds its default tags, of which S3 objects take ten at most" },
    "account default": {
        cloud: "AWS",
        what: "the account puts tags in instance metadata, where keys have no slash, and no instance starts",
    },
    "denied call": { cloud: "AWS", what: "a call without permission is refused, for the exact resource and tags" },
    "deprecated image": { cloud: "AWS", what: "an image is deprecated or no longer exists" },
    "remembered missing names": {
        ...{ cloud: "AWS", needsMachines: true },
        what: "the VPC's resolver remembers missing names for 15 minutes",
    },
    "split horizon": { cloud: "AWS", what: "a private zone answers for its names alone" },
    "addresses of the internet": {
        cloud: "AWS",
        what: "a public load balancer sees NAT gateways and public addresses, not the VPC's",
    },
    "lost zone": { cloud: "AWS", what: "a zone's NAT gateway forwards nothing" },
    "lost instance": { cloud: "AWS", what: "a group replaces an instance that died or was reclaimed" },
    "slow deletion": {
        cloud: "DigitalOcean",
        what: "a graceful deletion takes longer than the provider's default limit",
    },
    "VPC members": { cloud: "DigitalOcean", what: "a VPC counts members after they are deleted (409)" },
    "project in use": {
        cloud: "DigitalOcean",
        what: "a project that contains anything is not deleted (412), after the provider's limit of 3 minutes",
    },
    "locked droplet": {
        cloud: "DigitalOcean",
        what: "a droplet has an event in progress, such as a backup (422), and a refused change is recorded as made",
    },
    "closed idle connections": {
        ...{ cloud: "DigitalOcean", needsMachines: true },
        what: "a load balancer closes connections that are idle for 60 seconds",
    },
    "missing scope": { cloud: "DigitalOcean", what: "the token lacks a scope (403)" },
    "pending image": { cloud: "DigitalOcean", what: "an imported image is pending" },
} as const satisfies Readonly<Record<string, Behaviour>>;

export type BehaviourName = keyof typeof behaviours;

const recorded = new Set<string>();

/** Records that a behaviour happened, once per process and test, in the file that the environment names. */
export function met(name: BehaviourName): void {
    const { TRADEWIND_MET: file } = process.env;
    const behaviour: Behaviour = behaviours[name];
    const isOnPaper = Object.hasOwn(globalThis, "tradewindOnPaper");
    const key = `${file} ${name}`;
    if (file === undefined || recorded.has(key) || (behaviour.needsMachines && isOnPaper)) return;
    recorded.add(key);
    try {
        appendFileSync(file, `${name}\n`);
    } catch {
        // The run of tests has ended, and its folder was removed.
    }
}
