import { elementsAt, textAt, type XmlElement } from "../../../clients/aws/xml";
import type { Leftover } from "../leftover";
import type { AwsQuery } from "./query";
import { type AwsPlace, allPages, isCreatedByCluster } from "./tags";

/** Maximum number of resources in one request for tags. */
const atOnce = 20;

interface Kind {
    readonly version: "classic" | "network";
    readonly words: string;
    readonly describe: string;
    /** Where the response lists them. */
    readonly list: string;
    readonly vpc: string;
    /** Element with the ID. */
    readonly id: string;
    /** Names of the ID parameter and element of the tags request. */
    readonly ids: string;
    readonly tagged: string;
    readonly remove: string;
}

/** The default type for Services. */
export const classicLoadBalancers = finder({
    version: "classic",
    words: "load balancer",
    describe: "DescribeLoadBalancers",
    list: "LoadBalancerDescriptions",
    vpc: "VPCId",
    id: "LoadBalancerName",
    ids: "LoadBalancerNames",
    tagged: "LoadBalancerName",
    remove: "DeleteLoadBalancer",
});

/** Those of the second generation, with their listeners. */
export const networkLoadBalancers = finder({
    version: "network",
    words: "load balancer",
    describe: "DescribeLoadBalancers",
    list: "LoadBalancers",
    vpc: "VpcId",
    id: "LoadBalancerArn",
    ids: "ResourceArns",
    tagged: "ResourceArn",
    remove: "DeleteLoadBalancer",
});

export const targetGroups = finder({
    version: "network",
    words: "target group",
    describe: "DescribeTargetGroups",
    list: "TargetGroups",
    vpc: "VpcId",
    id: "TargetGroupArn",
    ids: "ResourceArns",
    tagged: "ResourceArn",
    remove: "DeleteTargetGroup",
});

function finder(kind: Kind): (query: AwsQuery, place: AwsPlace) => Promise<Leftover[]> {
    const { version, words, describe, list, vpc, id, ids, tagged, remove } = kind;
    return async (query, place) => {
        const page = { result: [`${describe}Result`], from: "NextMarker", into: "Marker" };
        const all = await allPages((more) => query(version, describe, more), [list, "member"], page);
        const inVpc = all.filter((each) => textAt(each, vpc) === place.vpcId).map((each) => textAt(each, id)!);
        const created: string[] = [];
        for (let start = 0; start < inVpc.length; start += atOnce) {
            const some = inVpc.slice(start, start + atOnce).map((each, n) => [`${ids}.member.${n + 1}`, each]);
            const answer = await query(version, "DescribeTags", Object.fromEntries(some));
            const described = elementsAt(answer, "DescribeTagsResult", "TagDescriptions", "member");
            const isOwn = (each: XmlElement) => isCreatedByCluster(elementsAt(each, "Tags", "member"), place);
            created.push(...described.filter(isOwn).map((each) => textAt(each, tagged)!));
        }
        return created.map((each) => ({
            words: `${words} ${each.replace(/^arn:[^/]*\/(net\/)?/, "")}`,
            remove: async () => {
                await query(version, remove, { [id]: each });
            },
        }));
    };
}
