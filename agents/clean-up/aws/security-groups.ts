import { elementsAt, textAt } from "../../common/xml-tree";
import type { AwsPlace, Leftover } from "../leftover";
import type { AwsQuery } from "./query";
import { allPages, filters, isMadeByCluster } from "./tags";

const page = { from: "nextToken", into: "NextToken" };
const groups = ["securityGroupInfo", "item"];

/** Of load balancers: each goes when no interface has it, and no rule of another group names it. */
export async function securityGroups(query: AwsQuery, place: AwsPlace): Promise<Leftover[]> {
    const asked = filters({ "vpc-id": place.vpcId, [`tag:${place.clusterTag}`]: "owned" });
    const ask = (more: object) => query("ec2", "DescribeSecurityGroups", { ...asked, ...more });
    const all = await allPages(ask, groups, page);
    return all
        .filter((each) => isMadeByCluster(elementsAt(each, "tagSet", "item"), place))
        .map((each) => {
            const id = textAt(each, "groupId")!;
            const remove = async () => {
                await revokeRulesOf(query, id);
                await query("ec2", "DeleteSecurityGroup", { GroupId: id });
            };
            return { words: `security group ${id} (${textAt(each, "groupName")})`, remove };
        });
}

/** Takes away what lets a group in elsewhere, in workers' group say. */
async function revokeRulesOf(query: AwsQuery, id: string): Promise<void> {
    const asked = filters({ "ip-permission.group-id": id });
    const ask = (more: object) => query("ec2", "DescribeSecurityGroups", { ...asked, ...more });
    for (const group of await allPages(ask, groups, page)) {
        for (const permission of elementsAt(group, "ipPermissions", "item")) {
            const isNamed = elementsAt(permission, "groups", "item").some((peer) => textAt(peer, "groupId") === id);
            if (!isNamed) continue;
            const said = Object.entries({ IpProtocol: "ipProtocol", FromPort: "fromPort", ToPort: "toPort" });
            const rule = said.flatMap(([name, told]) => {
                const value = textAt(permission, told);
                return value === undefined ? [] : [[`IpPermissions.1.${name}`, value]];
            });
            await query("ec2", "RevokeSecurityGroupIngress", {
                GroupId: textAt(group, "groupId")!,
                ...Object.fromEntries(rule),
                "IpPermissions.1.Groups.1.GroupId": id,
            });
        }
    }
}
