import { autoScalingGroup, type Ec2Instance, groupInstance, isLiving } from "../../../clients/aws/ec2-instances";
import { unescaped } from "../../../clients/aws/xml";
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

const nameElements = ["privateIpAddress", "ipAddress", "publicIp", "ipv6Address", "privateDnsName", "dnsName"];

function namesOf({ xml }: Ec2Instance): string[] {
    const found = xml.matchAll(new RegExp(`<(${nameElements.join("|")})>([^<]+)</\\1>`, "g"));
    return [...new Set([...found].map(([, , name]) => unescaped(name!)))];
}
