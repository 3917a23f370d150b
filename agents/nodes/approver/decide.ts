import { autoScalingGroup, isLiving, type ToldInstance } from "../../../clients/aws/ec2-instances";
import { type Conditions, isReady } from "../../../clients/kubernetes/nodes";
import type { Applicant } from "./identify";

export interface SeenNode {
    readonly metadata: { readonly name: string };
    readonly status?: Conditions;
}

/** Machines that were admitted lately, by the names that stand for them. */
export type Admissions = Readonly<Record<string, Admission>>;

export interface Admission {
    /** Hash of the public key that the certificate is for. */
    readonly key: string;
    /** When: RFC 3339. */
    readonly time: string;
}

/** What is known of the machine that asks. */
export interface Scene {
    /** Nodes of any of its names. */
    readonly nodes: readonly SeenNode[];
    readonly admissions: Admissions;
    /** What EC2 says about its instance. @default - EC2 does not know it, or the stack knows the machine by name */
    readonly instance?: ToldInstance;
    /** Unit: milliseconds since 1970. */
    readonly now: number;
}

/**
 * How long a name is kept for the key that was admitted, and refused to another one. A machine becomes a node within seconds;
 * one that lost its power and its new key, or that is replaced just then, waits. Unit: milliseconds.
 */
export const holdMilliseconds = 120_000;

/** Why a machine must not become the node that it asks to be, or undefined if it may. */
export function whyNot(applicant: Applicant, scene: Scene): string | undefined {
    const { node, aliases } = applicant;
    const ofInstance = applicant.instance && instanceProblem(applicant.instance, scene.instance);
    if (ofInstance) return ofInstance;
    for (const { metadata, status } of scene.nodes) {
        // A group never makes the same instance twice, so nothing comes in the place of one whose node is lost.
        if (applicant.instance) return `node ${metadata.name} exists`;
        if (isReady(status)) return `node ${metadata.name} is Ready`;
    }
    const held = aliases
        .flatMap((name) => (Object.hasOwn(scene.admissions, name) ? scene.admissions[name]! : []))
        .find((admission) => isRecent(admission, scene.now) && admission.key !== applicant.key);
    return held && `another machine was admitted as ${node} at ${held.time}`;
}

function instanceProblem(
    { id, group }: NonNullable<Applicant["instance"]>,
    told: ToldInstance | undefined,
): string | undefined {
    if (told === undefined) return `EC2 does not know ${id}`;
    if (!isLiving(told)) return `${id} is ${told.state}`;
    const own = autoScalingGroup(told);
    return own === group ? undefined : `${id} is not of group ${group}${own ? `, but of ${own}` : ""}`;
}

/** The admissions to remember: those before, without old ones, and this one under each of its names. */
export function withAdmission(admissions: Admissions, { aliases, key }: Applicant, now: number): Admissions {
    const time = new Date(now).toISOString();
    return {
        ...Object.fromEntries(Object.entries(admissions).filter(([, each]) => isRecent(each, now))),
        ...Object.fromEntries(aliases.map((name) => [name, { key, time }])),
    };
}

/** A clock that was ahead must not hold a name for longer than it takes to be set right. */
function isRecent({ time }: Admission, now: number): boolean {
    const age = now - Date.parse(time);
    return Math.abs(age) < holdMilliseconds;
}
