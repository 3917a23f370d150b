import { filters } from "../../../clients/aws/query";
import { elementsAt, textAt, type XmlElement } from "../../../clients/aws/xml";
import { type CloudAccess, type Leftover, NoAccess } from "../leftover";
import { classicLoadBalancers, networkLoadBalancers, targetGroups } from "./balancers";
import { type AwsQuery, awsQueryHere } from "./query";
import { type AwsPlace, allPages, isCreatedByCluster } from "./tags";

/** Access to AWS as the user who destroys the cluster. */
export async function awsAccess(place: AwsPlace, env: NodeJS.ProcessEnv = process.env): Promise<CloudAccess> {
    const query = await awsQueryHere(place.region, env);
    await checkAccount(query, place);
    return { find: () => leftInAws(query, place) };
}

/**
 * Resources with the cluster's tag and without the stack's. All except volumes are in the cluster's VPC, so another
 * cluster of that name is excluded.
 */
async function leftInAws(query: AwsQuery, place: AwsPlace) {
    const kinds = [classicLoadBalancers, networkLoadBalancers, targetGroups, securityGroups, volumes];
    return (await Promise.all(kinds.map((find) => find(query, place)))).flat();
}

/** In another account nothing would be found, as if everything had been cleaned up. */
async function checkAccount(query: AwsQuery, { vpcId, region }: AwsPlace): Promise<void> {
    const answer = await query("ec2", "DescribeSubnets", filters({ "vpc-id": vpcId }));
    if (elementsAt(answer, "subnetSet", "item").length === 0) {
        throw new NoAccess(
            `the credentials are not for the account that has ${vpcId} in ${region}: no subnet of it is visible`,
        );
    }
}

const page = { from: "nextToken", into: "NextToken" };
const groups = ["securityGroupInfo", "item"];

/** Groups of load balancers, each removed once no interface uses it and no rule of another group refers to it. */
async function securityGroups(query: AwsQuery, place: AwsPlace): Promise<Leftover[]> {
    const asked = filters({ "vpc-id": place.vpcId, [`tag:${place.clusterTag}`]: "owned" });
    const ask = (more: object) => query("ec2", "DescribeSecurityGroups", { ...asked, ...more });
    const all = await allPages(ask, groups, page);
    return all
        .filter((each) => isCreatedByCluster(elementsAt(each, "tagSet", "item"), place))
        .map((each) => {
            const id = textAt(each, "groupId")!;
            const remove = async () => {
                await revokeRulesOf(query, id);
                await query("ec2", "DeleteSecurityGroup", { GroupId: id });
            };
            return { words: `security group ${id} (${textAt(each, "groupName")})`, remove };
        });
}

/** Removes the rules in other groups that refer to this one, for example in the workers' group. */
async function revokeRulesOf(query: AwsQuery, id: string): Promise<void> {
    const asked = filters({ "ip-permission.group-id": id });
    const ask = (more: object) => query("ec2", "DescribeSecurityGroups", { ...asked, ...more });
    for (const group of await allPages(ask, groups, page)) {
        for (const permission of elementsAt(group, "ipPermissions", "item")) {
            const isNamed = elementsAt(permission, "groups", "item").some((peer) => textAt(peer, "groupId") === id);
            if (!isNamed) continue;
            const said = Object.entries({ IpProtocol: "ipProtocol", FromPort: "fromPort", ToPort: "toPort" });
            const rule = said.flatMap(([name, attribute]) => {
                const value = textAt(permission, attribute);
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

/** Tags that the driver sets on volumes. Source: aws-ebs-csi-driver, docs/tagging.md. */
const claim = ["namespace", "name"].map((part) => `kubernetes.io/created-for/pvc/${part}`);

/** Volumes of claims. One that is attached to a machine of the dead cluster is detached. */
async function volumes(query: AwsQuery, place: AwsPlace): Promise<Leftover[]> {
    const asked = filters({ [`tag:${place.clusterTag}`]: "owned" });
    const ask = (more: object) => query("ec2", "DescribeVolumes", { ...asked, ...more });
    const all = await allPages(ask, ["volumeSet", "item"], { from: "nextToken", into: "NextToken" });
    return all
        .filter((each) => isCreatedByCluster(elementsAt(each, "tagSet", "item"), place))
        .map((each) => {
            const id = textAt(each, "volumeId")!;
            const remove = async () => {
                if (elementsAt(each, "attachmentSet", "item").length > 0) {
                    await query("ec2", "DetachVolume", { VolumeId: id, Force: "true" });
                }
                if (textAt(each, "status") !== "deleting") await query("ec2", "DeleteVolume", { VolumeId: id });
            };
            return { words: `volume ${id}${describe(each)}`, isVolume: true, remove };
        });
}

function describe(volume: XmlElement): string {
    const tags = new Map(elementsAt(volume, "tagSet", "item").map((tag) => [textAt(tag, "key"), textAt(tag, "value")]));
    const [namespace, name] = claim.map((key) => tags.get(key));
    return ` of ${textAt(volume, "size")} GiB${name ? `, of claim ${namespace}/${name}` : ""}`;
}
