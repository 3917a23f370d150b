import { type AwsQuery, awsCredentials, awsQuery } from "../../../agents/clean-up/aws/query";
import { allPages } from "../../../agents/clean-up/aws/tags";
import { filters, queryAws, serviceUrl } from "../../../clients/aws/query";
import { elementsAt, parseXml, textAt, type XmlElement } from "../../../clients/aws/xml";
import { launchesOf } from "../../../components/aws/machines/launches";
import { groupName } from "../../../components/aws/machines/pools";
import { clusterTag, ownTag } from "../../../components/aws/tags";
import type { Launches } from "../../../components/pool-watch/judge";
import { awsTargetHealth } from "../target-health";
import type { Account } from "./account";

/** A kind of EC2 resource that costs money, or that contains such resources. */
interface Kind {
    readonly action: string;
    readonly words: string;
    /** Where the response lists them. */
    readonly at: readonly string[];
    readonly id: string;
    /** Where an item has its state. @default it has none */
    readonly state?: readonly string[];
}

const kinds: readonly Kind[] = [
    {
        action: "DescribeInstances",
        words: "instance",
        at: ["reservationSet", "item"],
        id: "instanceId",
        state: ["instanceState", "name"],
    },
    { action: "DescribeVolumes", words: "volume", at: ["volumeSet", "item"], id: "volumeId" },
    { action: "DescribeSnapshots", words: "snapshot", at: ["snapshotSet", "item"], id: "snapshotId" },
    { action: "DescribeAddresses", words: "Elastic IP address", at: ["addressesSet", "item"], id: "allocationId" },
    {
        action: "DescribeNatGateways",
        words: "NAT gateway",
        at: ["natGatewaySet", "item"],
        id: "natGatewayId",
        state: ["state"],
    },
    {
        action: "DescribeVpcEndpoints",
        words: "VPC endpoint",
        at: ["vpcEndpointSet", "item"],
        id: "vpcEndpointId",
        state: ["state"],
    },
    { action: "DescribeVpcs", words: "VPC", at: ["vpcSet", "item"], id: "vpcId" },
];

/** EC2 still describes them for up to an hour. */
const isOver = (state: string | undefined) => state === "terminated" || state === "deleted";

/** The account of the environment's credentials, in one region. */
export async function awsAccount(
    cluster: string,
    region: string | undefined,
    env: NodeJS.ProcessEnv,
): Promise<Account> {
    if (!region) throw new Error("aws:region must be a region code, such as eu-central-1 (got nothing)");
    const credentials = await awsCredentials(env);
    const endpoint = env.AWS_ENDPOINT_URL?.replace(/\/+$/, "") || undefined;
    const sts = { url: endpoint ?? serviceUrl("sts", region), service: "sts", region };
    const caller = await queryAws(sts, { Action: "GetCallerIdentity", Version: "2011-06-15" }, credentials, 30_000);
    const id = textAt(parseXml(caller), "GetCallerIdentityResult", "Account");
    if (!id) throw new Error("AWS must return the account of the credentials (got none)");
    const query = awsQuery(region, credentials, endpoint);
    const tags = { [ownTag]: cluster, [clusterTag(cluster)]: "owned" };
    const existing = async () => {
        const found = [...(await inEc2(query, tags)), ...(await loadBalancers(query, tags))];
        return [...new Set(found)].sort();
    };
    const launches = async (pool: string) => describeLaunches(await launchesOf(query, groupName({ cluster, pool })));
    return { id, existing, targetHealth: () => awsTargetHealth(query, cluster), launches };
}

/** From the group's scaling activities. */
export function describeLaunches({ group, machines, failures }: Launches): string {
    return `${group} has ${machines.length} instances; ${failures.length > 0 ? `failed launches: ${failures.join("; ")}` : "no launch failed"}`;
}

type TagValues = Readonly<Record<string, string>>;

async function inEc2(query: AwsQuery, tags: TagValues): Promise<string[]> {
    const found: string[] = [];
    for (const { action, words, at, id, state } of kinds) {
        for (const [tag, value] of Object.entries(tags)) {
            const asked = filters({ [`tag:${tag}`]: value });
            const paging = { from: "nextToken", into: "NextToken" };
            const items = await allPages((more) => query("ec2", action, { ...asked, ...more }), at, paging);
            const all = action === "DescribeInstances" ? items.flatMap(instancesOf) : items;
            const left = all.filter((each) => !isOver(state && textAt(each, ...state)));
            found.push(...left.map((each) => `${words} ${textAt(each, id)}`));
        }
    }
    return found;
}

function instancesOf(reservation: XmlElement): XmlElement[] {
    return elementsAt(reservation, "instancesSet", "item");
}

/** Of both generations; their tags are a request of their own, for at most 20. */
async function loadBalancers(query: AwsQuery, tags: TagValues): Promise<string[]> {
    const found: string[] = [];
    for (const [version, list, id, ids, tagged] of [
        ["classic", "LoadBalancerDescriptions", "LoadBalancerName", "LoadBalancerNames", "LoadBalancerName"],
        ["network", "LoadBalancers", "LoadBalancerArn", "ResourceArns", "ResourceArn"],
    ] as const) {
        const paging = { result: ["DescribeLoadBalancersResult"], from: "NextMarker", into: "Marker" };
        const ask = (more: TagValues) => query(version, "DescribeLoadBalancers", more);
        const names = (await allPages(ask, [list, "member"], paging)).map((each) => textAt(each, id)!);
        for (let start = 0; start < names.length; start += 20) {
            const some = names.slice(start, start + 20).map((each, n) => [`${ids}.member.${n + 1}`, each]);
            const answer = await query(version, "DescribeTags", Object.fromEntries(some));
            const described = elementsAt(answer, "DescribeTagsResult", "TagDescriptions", "member");
            const own = described.filter((each) =>
                elementsAt(each, "Tags", "member").some(
                    (tag) => tags[textAt(tag, "Key") ?? ""] === textAt(tag, "Value"),
                ),
            );
            found.push(...own.map((each) => `load balancer ${textAt(each, tagged)}`));
        }
    }
    return found;
}
