import { elementsAt } from "../../common/xml-tree";
import { type AwsPlace, type CloudAccess, NoAccess } from "../leftover";
import { classicLoadBalancers, networkLoadBalancers, targetGroups } from "./balancers";
import { awsCredentials } from "./credentials";
import { type AwsQuery, awsQuery } from "./query";
import { securityGroups } from "./security-groups";
import { filters } from "./tags";
import { volumes } from "./volumes";

/** AWS as who destroys the cluster may ask it. */
export async function awsAccess(place: AwsPlace, env: NodeJS.ProcessEnv = process.env): Promise<CloudAccess> {
    const query = awsQuery(place.region, await awsCredentials(env), env.AWS_ENDPOINT_URL);
    await checkAccount(query, place);
    return { find: () => leftInAws(query, place) };
}

/** What has the cluster's tag and not the stack's. All but volumes is in the cluster's VPC, and no other cluster's of that name. */
export async function leftInAws(query: AwsQuery, place: AwsPlace) {
    const kinds = [classicLoadBalancers, networkLoadBalancers, targetGroups, securityGroups, volumes];
    return (await Promise.all(kinds.map((find) => find(query, place)))).flat();
}

/** In another account nothing would be found, which looks like an account that is clean. */
async function checkAccount(query: AwsQuery, { vpcId, region }: AwsPlace): Promise<void> {
    const answer = await query("ec2", "DescribeSubnets", filters({ "vpc-id": vpcId }));
    if (elementsAt(answer, "subnetSet", "item").length === 0) {
        throw new NoAccess(`the credentials are not of the account that has ${vpcId} in ${region}: it shows no subnet`);
    }
}
