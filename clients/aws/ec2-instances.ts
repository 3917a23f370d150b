import { type AwsCredentials, type QueryForm, queryAws, serviceUrl } from "./query";
import { element, unescaped } from "./xml";

/** EC2 accepts up to 200 values per filter. */
const mostValues = 100;

/** What instances are found by. */
export type InstanceFilter = "instance-id" | "private-ip-address";

/** EC2's endpoint. */
export interface Ec2Place {
    /** EC2's API: `https://ec2.eu-central-1.amazonaws.com`. */
    readonly ec2: string;
    readonly region: string;
}

/** EC2's endpoint in a region. */
export function ec2Of(region: string): Ec2Place {
    return { ec2: serviceUrl("ec2", region), region };
}

/** Instance ID of a node, if an Auto Scaling group may have created it. @param namePattern - of its nodes' full names */
export function groupInstance(node: string, namePattern: string): string | undefined {
    return new RegExp(namePattern).test(node) ? /^i-[0-9a-f]+/.exec(node)?.[0] : undefined;
}

/** EC2's response is not valid. */
export class Ec2Error extends Error {
    override readonly name = "Ec2Error";
}

/** An instance as described by EC2. */
export interface Ec2Instance {
    readonly id: string;
    /** EC2's name for the state: `running`. */
    readonly state: string;
    /** The full description. */
    readonly xml: string;
}

/** Whether an instance is running or starting. */
export function isLiving({ state }: Ec2Instance): boolean {
    return state === "pending" || state === "running";
}

/** The Auto Scaling group of an instance, from AWS' own tag, which only AWS can set. */
export function autoScalingGroup({ xml }: Ec2Instance): string | undefined {
    const value = /<key>aws:autoscaling:groupName<\/key>\s*<value>([^<]*)<\/value>/.exec(xml)?.[1];
    return value === undefined ? undefined : unescaped(value);
}

/**
 * Describes instances, including all pages. Unknown instances are omitted. Throws if the response may not be EC2's complete
 * answer.
 */
export async function askInstances(
    values: readonly string[],
    { ec2, region }: Ec2Place,
    credentials: AwsCredentials,
    by: InstanceFilter = "instance-id",
): Promise<Ec2Instance[]> {
    const service = { url: ec2, service: "ec2", region };
    const reported: Ec2Instance[] = [];
    for (let start = 0; start < values.length; start += mostValues) {
        const some = values.slice(start, start + mostValues);
        for (let token: string | undefined, isLast = false; !isLast; isLast = token === undefined) {
            const xml = await queryAws(service, describeInstances(some, token, by), credentials);
            reported.push(...instancesIn(xml));
            token = nextToken(xml);
        }
    }
    return reported;
}

/** Uses a filter, for which unknown IDs are not an error. */
export function describeInstances(
    values: readonly string[],
    token?: string,
    by: InstanceFilter = "instance-id",
): QueryForm {
    return {
        Action: "DescribeInstances",
        Version: "2016-11-15",
        MaxResults: "1000",
        "Filter.1.Name": by,
        ...Object.fromEntries(values.map((value, index) => [`Filter.1.Value.${index + 1}`, value])),
        ...(token && { NextToken: token }),
    };
}

/** Rejects any other or truncated response with status 200, which must not look like missing instances. */
export function instancesIn(xml: string): Ec2Instance[] {
    const isBegun = /<DescribeInstancesResponse[\s>]/.test(xml);
    const isWhole = /<reservationSet(\s*\/>|>.*<\/reservationSet>).*<\/DescribeInstancesResponse>\s*$/s.test(xml);
    if (!isBegun || !isWhole) {
        throw new Ec2Error(`the response must be a list of instances (got ${xml.trim().slice(0, 100) || "nothing"})`);
    }
    const instances = xml.split("<instanceId>").slice(1);
    return instances.map((each) => {
        const [, id] = /^(i-[0-9a-f]+)<\/instanceId>/.exec(each) ?? [];
        const [, state] = /<instanceState>.*?<name>([a-z-]+)<\/name>.*?<\/instanceState>/s.exec(each) ?? [];
        if (!id || !state) throw new Ec2Error(`an instance must have an id and a state (got ${each.slice(0, 100)})`);
        return { id, state, xml: each };
    });
}

function nextToken(xml: string): string | undefined {
    return unescaped(element(xml, "nextToken") ?? "") || undefined;
}
