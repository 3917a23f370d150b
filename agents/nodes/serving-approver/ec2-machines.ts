import {
    autoScalingGroup,
    type Ec2Instance,
    groupInstance,
    type InstanceFilter,
    isLiving,
} from "../../../clients/aws/ec2-instances";
import { element, unescaped } from "../../../clients/aws/xml";
import type { JoinedMachines } from "../approver/joined";
import type { InstancesPlan, Machines } from "./plan";

const isInstance = (text: string) => /^i-[0-9a-f]+$/.test(text);

/**
 * Addresses and names of nodes' instances from EC2: those of the stack and of its groups. Others, and terminated ones,
 * are left out.
 *
 * @param known - instance ID by node
 * @param ask - queries EC2
 */
export async function ec2Machines(
    nodes: readonly string[],
    known: Machines,
    { namePattern, groups }: Pick<InstancesPlan, "namePattern" | "groups">,
    ask: (ids: readonly string[]) => Promise<readonly Ec2Instance[]>,
): Promise<Machines> {
    const own = (node: string) => (Object.hasOwn(known, node) ? known[node]!.find(isInstance) : undefined);
    const asked = nodes.flatMap((node) => {
        const id = own(node) ?? groupInstance(node, namePattern);
        return id === undefined ? [] : [{ node, id, isOwn: own(node) !== undefined }];
    });
    if (asked.length === 0) return {};
    const reported = new Map((await ask(asked.map(({ id }) => id))).map((each) => [each.id, each]));
    return Object.fromEntries(
        asked.flatMap(({ node, id, isOwn }) => {
            const instance = reported.get(id);
            const isThere = instance !== undefined && isLiving(instance);
            const isOurs = isThere && (isOwn || groups.includes(autoScalingGroup(instance) ?? ""));
            return isOurs ? [[node, namesOf(instance)]] : [];
        }),
    );
}

/**
 * Addresses and names of instances that joined by a token: a cloud controller gives them to their nodes. They are found in
 * the VPC of the stack's own instances, by the addresses that the administrator gave.
 *
 * @param known - instance ID by node
 * @param ask - queries EC2
 */
export async function joinedInstances(
    nodes: readonly string[],
    joined: JoinedMachines,
    known: Machines,
    ask: (values: readonly string[], by: InstanceFilter) => Promise<readonly Ec2Instance[]>,
): Promise<Machines> {
    const waiting = nodes.filter((node) => Object.hasOwn(joined, node) && !Object.hasOwn(known, node));
    const ids = Object.values(known).flatMap((each) => each.find(isInstance) ?? []);
    if (waiting.length === 0 || ids.length === 0) return {};
    const addresses = waiting.flatMap((node) => joined[node]!.addresses).filter((each) => !each.includes(":"));
    const vpcs = (await ask(ids, "instance-id")).flatMap((each) => vpcOf(each) ?? []);
    const found = (await ask(addresses, "private-ip-address")).filter(
        (each) => isLiving(each) && vpcs.includes(vpcOf(each) ?? "") && autoScalingGroup(each) === undefined,
    );
    return Object.fromEntries(
        waiting.flatMap((node) => {
            const given = joined[node]!.addresses;
            const own = found.find((each) => given.includes(element(each.xml, "privateIpAddress") ?? ""));
            return own ? [[node, [...new Set([...given, ...namesOf(own)])]]] : [];
        }),
    );
}

function vpcOf({ xml }: Ec2Instance): string | undefined {
    return element(xml, "vpcId");
}

const nameElements = ["privateIpAddress", "ipAddress", "publicIp", "ipv6Address", "privateDnsName", "dnsName"];

function namesOf({ xml }: Ec2Instance): string[] {
    const found = xml.matchAll(new RegExp(`<(${nameElements.join("|")})>([^<]+)</\\1>`, "g"));
    return [...new Set([...found].map(([, , name]) => unescaped(name!)))];
}
