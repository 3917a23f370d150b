import { type Account, accountId, type SecurityRule } from "../../account";
import { rebalance } from "../../balancing";
import { interfacesOf } from "../../interfaces";
import { applySecurityGroups } from "../../rules";
import { securityGroup } from "../../security-group";
import { type Action, type Call, type Need, readAction } from "../query/action";
import { objectsOf, type Params, type Tags, tagsOf, textOf, textsOf } from "../query/params";
import type { Said } from "../query/xml";
import { filtered, tagSet, tagValues } from "./filters";

const describeSecurityGroups = readAction("ec2:DescribeSecurityGroups", ({ account, params }) => {
    const { securityGroups } = account.resources;
    const ids = textsOf(params, "GroupId");
    for (const id of ids) groupOf(account, id);
    const found = filtered(params, Object.entries(securityGroups), ([id, { name, vpc, tags }]) => ({
        "group-id": id,
        "group-name": name,
        "vpc-id": vpc,
        "ip-permission.group-id": ingressOf(account, id).flatMap(({ peer }) => peer ?? []),
        ...tagValues(tags),
    }));
    return {
        securityGroupInfo: found
            .filter(([id]) => ids.length === 0 || ids.includes(id))
            .map(([id, { name, vpc, description = name, tags }]) => ({
                ownerId: accountId,
                groupId: id,
                groupName: name,
                groupDescription: description,
                vpcId: vpc,
                ipPermissions: permissionsSaid(ingressOf(account, id), accountId),
                tagSet: tagSet(tags),
            })),
    };
});

function ingressOf(account: Account, id: string) {
    return account.all("securityRules").filter(({ group, isIngress }) => isIngress && group === id);
}

function groupOf(account: Account, id: string) {
    const found = account.resources.securityGroups[id];
    if (!found) throw new Error(`InvalidGroup.NotFound: The security group '${id}' does not exist`);
    return found;
}

const createSecurityGroup: Action = {
    needs: ({ account, params }) => {
        const vpcId = textOf(params, "VpcId");
        const vpc = account.resources.vpcs[vpcId];
        if (!vpc) throw new Error(`InvalidVpcID.NotFound: The vpc ID '${vpcId}' does not exist`);
        const asked = askedTags(params);
        const on = account.arn("ec2", "security-group/*");
        const action = "ec2:CreateSecurityGroup";
        const tagging = { action: "ec2:CreateTags", on, asked, context: { "ec2:CreateAction": "CreateSecurityGroup" } };
        return [
            { action, on: account.arn("ec2", `vpc/${vpcId}`), tags: vpc.tags, asked },
            { action, on, asked },
            ...(Object.keys(asked).length > 0 ? [tagging] : []),
        ];
    },
    run: ({ account, params, role }) => {
        const [name, vpc] = [textOf(params, "GroupName"), textOf(params, "VpcId")];
        if (account.all("securityGroups").some((other) => other.vpc === vpc && other.name === name)) {
            throw new Error(`InvalidGroup.Duplicate: The security group '${name}' already exists for VPC '${vpc}'`);
        }
        const id = account.newId("sg");
        const description = textOf(params, "GroupDescription");
        account.put("securityGroups", id, { name, vpc, description, tags: askedTags(params), createdBy: role });
        const rule = { name: `${name} egress`, group: id, isIngress: false, protocol: "-1", cidr: "0.0.0.0/0" };
        account.put("securityRules", account.newId("sgr"), { ...rule, createdBy: role });
        return { return: true, groupId: id, tagSet: tagSet(askedTags(params)) };
    },
};

function askedTags(params: Params): Tags {
    const all = objectsOf(params, "TagSpecification");
    return Object.assign({}, ...all.map((each) => tagsOf(each, "Tag")));
}

/** On a group, whose tags decide. */
function onGroup(action: string): (call: Call) => Need[] {
    return ({ account, params }) => {
        const id = textOf(params, "GroupId");
        return [{ action, on: account.arn("ec2", `security-group/${id}`), tags: groupOf(account, id).tags }];
    };
}

const authorize: Action = {
    needs: onGroup("ec2:AuthorizeSecurityGroupIngress"),
    run: async ({ account, params, role }) => {
        const group = textOf(params, "GroupId");
        const { name } = groupOf(account, group);
        const rules = permittedOf(params);
        for (const rule of rules) {
            if (rule.peer) groupOf(account, rule.peer);
            if (ingressOf(account, group).some((each) => sameRule(each, rule))) {
                throw new Error("InvalidPermission.Duplicate: the specified rule already exists");
            }
        }
        for (const rule of rules) {
            const id = account.newId("sgr");
            account.put("securityRules", id, {
                name: `${name} ${id}`,
                group,
                isIngress: true,
                ...rule,
                createdBy: role,
            });
        }
        await applyRules(account);
        return { return: true };
    },
};

const revoke: Action = {
    needs: onGroup("ec2:RevokeSecurityGroupIngress"),
    run: async ({ account, params }) => {
        const group = textOf(params, "GroupId");
        const { securityRules } = account.resources;
        const ids = permittedOf(params).map((rule) => {
            const found = Object.entries(securityRules).find(
                ([, each]) => each.isIngress && each.group === group && sameRule(each, rule),
            );
            if (!found) throw new Error("InvalidPermission.NotFound: The specified rule does not exist");
            return found[0];
        });
        for (const id of ids) account.remove("securityRules", id);
        await applyRules(account);
        return { return: true };
    },
};

async function applyRules(account: Account): Promise<void> {
    await rebalance(account);
    await applySecurityGroups(account);
}

const deleteSecurityGroup: Action = {
    needs: onGroup("ec2:DeleteSecurityGroup"),
    run: async ({ account, params }) => {
        const groupId = textOf(params, "GroupId");
        account.refuseWhileUsed(
            `resource ${groupId}`,
            interfacesOf(account, ({ groups }) => groups.includes(groupId)),
        );
        await securityGroup.delete(account, groupId);
        return { return: true, groupId };
    },
};

/** Only for security groups: everything else is tagged on creation. */
const createTags: Action = {
    needs: ({ account, params }) => {
        const asked = tagsOf(params, "Tag");
        return textsOf(params, "ResourceId").map((id) => ({
            action: "ec2:CreateTags",
            on: account.arn("ec2", `security-group/${id}`),
            tags: groupOf(account, id).tags,
            asked,
        }));
    },
    run: ({ account, params }) => {
        const asked = tagsOf(params, "Tag");
        for (const id of textsOf(params, "ResourceId")) {
            account.change("securityGroups", id, (now) => ({ ...now, tags: { ...now.tags, ...asked } }));
        }
        return { return: true };
    },
};

export const securityGroupActions: Readonly<Record<string, Action>> = {
    DescribeSecurityGroups: describeSecurityGroups,
    CreateSecurityGroup: createSecurityGroup,
    AuthorizeSecurityGroupIngress: authorize,
    RevokeSecurityGroupIngress: revoke,
    DeleteSecurityGroup: deleteSecurityGroup,
    CreateTags: createTags,
};

/** A rule in the form of a permission: one block or one group. */
type Permitted = Pick<SecurityRule, "protocol" | "fromPort" | "toPort" | "cidr" | "peer" | "description">;

/** Rules that a request specifies, one per block and group of its permissions. */
function permittedOf(params: Params): Permitted[] {
    const permissions = objectsOf(params, "IpPermissions");
    if (permissions.length === 0) throw new Error("MissingParameter: The request must contain IpPermissions");
    return permissions.flatMap((permission) => {
        const protocol = textOf(permission, "IpProtocol");
        const ports = (["FromPort", "ToPort"] as const).map((name) => permission[name]);
        const [fromPort, toPort] = ports.map((port) => (port === undefined ? undefined : Number(port)));
        const what = { protocol, ...(protocol !== "-1" && fromPort !== undefined && { fromPort, toPort: toPort! }) };
        const said = (each: Params) =>
            typeof each.Description === "string" ? { description: each.Description } : undefined;
        return [
            ...objectsOf(permission, "IpRanges").map((each) => ({ cidr: textOf(each, "CidrIp"), ...said(each) })),
            ...objectsOf(permission, "Ipv6Ranges").map((each) => ({ cidr: textOf(each, "CidrIpv6"), ...said(each) })),
            ...objectsOf(permission, "Groups").map((each) => ({ peer: textOf(each, "GroupId"), ...said(each) })),
        ].map((source) => ({ ...what, ...source }));
    });
}

/** What identifies a rule, which excludes its description. */
function sameRule(a: Permitted, b: Permitted): boolean {
    const key = ({ protocol, fromPort, toPort, cidr, peer }: Permitted) =>
        JSON.stringify([protocol, fromPort, toPort, cidr, peer]);
    return key(a) === key(b);
}

/** Rules as the service returns them: grouped by protocol and ports. */
function permissionsSaid(rules: readonly Permitted[], owner: string): Said[] {
    const groups = new Map<string, Permitted[]>();
    for (const rule of rules) {
        const key = JSON.stringify([rule.protocol, rule.fromPort, rule.toPort]);
        groups.set(key, [...(groups.get(key) ?? []), rule]);
    }
    return [...groups.values()].map((all) => {
        const { protocol, fromPort, toPort } = all[0]!;
        const isIpv6 = ({ cidr }: Permitted) => cidr?.includes(":");
        return {
            ipProtocol: protocol,
            fromPort,
            toPort,
            groups: all
                .filter(({ peer }) => peer)
                .map(({ peer, description }) => ({ groupId: peer, userId: owner, description })),
            ipRanges: all
                .filter((each) => each.cidr && !isIpv6(each))
                .map(({ cidr, description }) => ({ cidrIp: cidr, description })),
            ipv6Ranges: all.filter(isIpv6).map(({ cidr, description }) => ({ cidrIpv6: cidr, description })),
            prefixListIds: [],
        };
    });
}
