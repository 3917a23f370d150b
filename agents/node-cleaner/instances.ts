import { type QueryForm, queryAws } from "../common/aws-query";
import type { AwsCredentials } from "../common/aws-signature";
import { element, unescaped } from "../common/aws-xml";
import type { NodeCleanerPlan } from "./plan";

/** EC2 takes up to 200 values of a filter. */
const mostIds = 100;

/** States of instances by their ids, as EC2 calls them. Those that it does not know are left out. */
export type InstanceStates = ReadonlyMap<string, string>;

/** What EC2 said is no answer. */
export class Ec2Error extends Error {
    override readonly name = "Ec2Error";
}

/** Asks EC2 for the states of instances, all pages of them. Throws on any doubt that this is EC2's whole answer. */
export async function instanceStates(
    ids: readonly string[],
    { ec2, region }: Pick<NodeCleanerPlan, "ec2" | "region">,
    credentials: AwsCredentials,
): Promise<InstanceStates> {
    const service = { url: ec2, service: "ec2", region };
    const states = new Map<string, string>();
    for (let start = 0; start < ids.length; start += mostIds) {
        const some = ids.slice(start, start + mostIds);
        for (let token: string | undefined, isLast = false; !isLast; isLast = token === undefined) {
            const xml = await queryAws(service, describeInstances(some, token), credentials);
            for (const [id, state] of statesIn(xml)) states.set(id, state);
            token = nextToken(xml);
        }
    }
    return states;
}

/** By a filter: an id that is unknown is no error then. */
export function describeInstances(ids: readonly string[], token?: string): QueryForm {
    return {
        Action: "DescribeInstances",
        Version: "2016-11-15",
        MaxResults: "1000",
        "Filter.1.Name": "instance-id",
        ...Object.fromEntries(ids.map((id, index) => [`Filter.1.Value.${index + 1}`, id])),
        ...(token && { NextToken: token }),
    };
}

/** Whatever else answers by 200, or is cut off, must not look as if no instance were there. */
export function statesIn(xml: string): [id: string, state: string][] {
    const isBegun = /<DescribeInstancesResponse[\s>]/.test(xml);
    const isWhole = /<reservationSet(\s*\/>|>.*<\/reservationSet>).*<\/DescribeInstancesResponse>\s*$/s.test(xml);
    if (!isBegun || !isWhole) {
        throw new Ec2Error(`the answer must be a list of instances, got ${xml.trim().slice(0, 100) || "nothing"}`);
    }
    const instances = xml.split("<instanceId>").slice(1);
    return instances.map((each) => {
        const [, id] = /^(i-[0-9a-f]+)<\/instanceId>/.exec(each) ?? [];
        const [, state] = /<instanceState>.*?<name>([a-z-]+)<\/name>.*?<\/instanceState>/s.exec(each) ?? [];
        if (!id || !state) throw new Ec2Error(`an instance must have an id and a state, got ${each.slice(0, 100)}`);
        return [id, state];
    });
}

function nextToken(xml: string): string | undefined {
    return unescaped(element(xml, "nextToken") ?? "") || undefined;
}
