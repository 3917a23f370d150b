import { autoScalingGroup, type Ec2Instance, isLiving } from "../../../clients/aws/ec2-instances";
import { isReady, type Node } from "../../../clients/kubernetes/objects";
import type { Applicant } from "./identify";
import type { JoinedMachine } from "./joined";

/** Recently admitted machines, by their aliases. */
export type Admissions = Readonly<Record<string, Admission>>;

export interface Admission {
    /** Hash of the certificate's public key. */
    readonly key: string;
    /** When: RFC 3339. */
    readonly time: string;
}

/** What is known of the requesting machine. */
export interface Scene {
    /** Nodes with any of its names. */
    readonly nodes: readonly Node[];
    readonly admissions: Admissions;
    /** Its instance in EC2. @default - EC2 does not list it, or the stack names the machine */
    readonly instance?: Ec2Instance;
    /** The administrator's entry for it. @default - the stack or its cloud names the machine */
    readonly joined?: JoinedMachine;
    /** Unit: milliseconds since 1970. */
    readonly now: number;
}

/**
 * How long a name is reserved for the admitted key and refused to any other. A machine becomes a node within seconds;
 * one that lost power and its new key, or that is replaced just then, has to wait. Unit: milliseconds.
 */
export const holdMilliseconds = 120_000;

/** Why a machine must not become the requested node, or undefined if it may. */
export function whyNot(applicant: Applicant, scene: Scene): string | undefined {
    const { node, aliases } = applicant;
    const ofInstance = applicant.instance && instanceProblem(applicant.instance, scene.instance);
    if (ofInstance) return ofInstance;
    const ofToken = applicant.isJoining && tokenProblem(applicant, scene);
    if (ofToken) return ofToken;
    for (const { metadata, status } of scene.nodes) {
        // A group never creates the same instance twice, so no instance replaces one whose node is lost.
        if (applicant.instance) return `node ${metadata.name} exists`;
        if (isReady(status)) return `node ${metadata.name} is Ready`;
    }
    // The administrator's entry names its key.
    if (applicant.isJoining) return undefined;
    const held = aliases
        .flatMap((name) => (Object.hasOwn(scene.admissions, name) ? scene.admissions[name]! : []))
        .find((admission) => isRecent(admission, scene.now) && admission.key !== applicant.key);
    return held && `another machine was admitted as ${node} at ${held.time}`;
}

/** A token is for one machine, once. The same machine may repeat its request, as after a power cut. */
function tokenProblem({ node, key }: Applicant, { joined, now }: Scene): string | undefined {
    if (joined === undefined) return `the token for ${node} was revoked`;
    if (joined.key !== undefined) {
        return joined.key === key ? undefined : `the token for ${node} was used at ${joined.joined}`;
    }
    return now < Date.parse(joined.expires) ? undefined : `the token for ${node} expired at ${joined.expires}`;
}

function instanceProblem(
    { id, group }: NonNullable<Applicant["instance"]>,
    reported: Ec2Instance | undefined,
): string | undefined {
    if (reported === undefined) return `EC2 has no instance ${id}`;
    if (!isLiving(reported)) return `${id} is ${reported.state}`;
    const own = autoScalingGroup(reported);
    return own === group ? undefined : `${id} is not in group ${group}${own ? ` but in ${own}` : ""}`;
}

/** The admissions to record: recent ones, and this one under each of its names. */
export function withAdmission(admissions: Admissions, { aliases, key }: Applicant, now: number): Admissions {
    const time = new Date(now).toISOString();
    return {
        ...Object.fromEntries(Object.entries(admissions).filter(([, each]) => isRecent(each, now))),
        ...Object.fromEntries(aliases.map((name) => [name, { key, time }])),
    };
}

/** A clock that was ahead must not reserve a name for longer than it takes to correct it. */
function isRecent({ time }: Admission, now: number): boolean {
    const age = now - Date.parse(time);
    return Math.abs(age) < holdMilliseconds;
}
