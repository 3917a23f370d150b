import type { Properties } from "../../plugins/protocol/serve";
import { oneOf, type Rule, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { balancersOf, rebalance } from "./balancing";
import { waitForInterfaces } from "./interfaces";
import { tagsAlone } from "./network";
import { applySecurityGroups, id, tags, wholeNumber } from "./rules";

/** A security group; its rules are separate resources. */
export const securityGroup: Simulated<Account> = {
    inputs: {
        name: text(
            "a name that does not begin with sg-",
            /^(?!sg-)[A-Za-z0-9 ._:/()#,@[\]+=&;{}!$*-]{1,255}$/,
            required,
        ),
        description: text("a description", /^[A-Za-z0-9 ._:/()#,@[\]+=&;{}!$*-]{1,255}$/),
        vpcId: id("vpc", required),
        tags,
    },
    outputs: ["arn", "ownerId"],
    async create(account, { name, vpcId }) {
        account.find("vpcs", vpcId);
        if (account.all("securityGroups").some((other) => other.vpc === vpcId && other.name === name)) {
            throw new Error(`InvalidGroup.Duplicate: The security group '${name}' already exists for VPC '${vpcId}'`);
        }
        const created = account.newId("sg");
        account.put("securityGroups", created, { name: String(name), vpc: String(vpcId) });
        return { id: created, outputs: { arn: account.arn("ec2", `security-group/${created}`) } };
    },
    update: tagsAlone,
    async delete(account, groupId, operation) {
        const isOne = ({ groups }: { groups: readonly string[] }) => groups.includes(groupId);
        await waitForInterfaces(account, `resource ${groupId}`, isOne, operation);
        account.refuseWhileUsed(`resource ${groupId}`, [
            ...account.all("instances").filter((each) => each.groups.includes(groupId)),
            ...balancersOf(account.resources).filter((each) => each.groups.includes(groupId)),
            ...account.all("endpoints").filter((each) => each.groups.includes(groupId)),
            ...account.all("securityRules").filter((each) => each.peer === groupId && each.group !== groupId),
        ]);
        const { securityRules } = account.resources;
        for (const [ruleId, rule] of Object.entries(securityRules)) {
            if (rule.group === groupId) account.remove("securityRules", ruleId);
        }
        account.remove("securityGroups", groupId);
    },
};

const port = (more: Partial<Rule> = {}) => wholeNumber(-1, 65_535, more);

function securityRule(isIngress: boolean): Simulated<Account> {
    return {
        inputs: {
            securityGroupId: id("sg", required),
            ipProtocol: oneOf(["tcp", "udp", "icmp", "icmpv6", "-1"], required),
            fromPort: port(),
            toPort: port(),
            cidrIpv4: text("an IPv4 block", /^\d+(\.\d+){3}\/\d+$/),
            cidrIpv6: text("an IPv6 block", /^[0-9a-f:]+\/\d+$/),
            referencedSecurityGroupId: id("sg"),
            tags,
        },
        outputs: ["arn", "securityGroupRuleId"],
        async create(account, inputs) {
            const created = account.newId("sgr");
            await put(account, created, isIngress, inputs);
            const arn = account.arn("ec2", `security-group-rule/${created}`);
            return { id: created, outputs: { arn, securityGroupRuleId: created } };
        },
        async update(account, ruleId, inputs) {
            await put(account, ruleId, isIngress, inputs);
            return undefined;
        },
        async delete(account, ruleId) {
            account.remove("securityRules", ruleId);
            await rebalance(account);
            await applySecurityGroups(account);
        },
    };
}

export const securityGroupIngressRule = securityRule(true);
export const securityGroupEgressRule = securityRule(false);

async function put(account: Account, ruleId: string, isIngress: boolean, inputs: Properties): Promise<void> {
    const { securityGroupId, ipProtocol, fromPort, toPort, cidrIpv4, cidrIpv6, referencedSecurityGroupId } = inputs;
    const { name } = account.find("securityGroups", securityGroupId);
    if (referencedSecurityGroupId) account.find("securityGroups", referencedSecurityGroupId);
    if ([cidrIpv4, cidrIpv6, referencedSecurityGroupId].filter(Boolean).length !== 1) {
        throw new Error("InvalidParameterCombination: a rule has a block or a group, and one of them alone");
    }
    if ((ipProtocol === "-1") !== (fromPort === undefined) || (fromPort === undefined) !== (toPort === undefined)) {
        throw new Error(`InvalidParameterValue: a rule of ${ipProtocol} has both ports or none`);
    }
    account.put("securityRules", ruleId, {
        name: `${name} ${ruleId}`,
        group: String(securityGroupId),
        isIngress,
        protocol: String(ipProtocol),
        ...(fromPort !== undefined && { fromPort: Number(fromPort), toPort: Number(toPort) }),
        ...(cidrIpv4 !== undefined && { cidr: String(cidrIpv4) }),
        ...(cidrIpv6 !== undefined && { cidr: String(cidrIpv6) }),
        ...(referencedSecurityGroupId !== undefined && { peer: String(referencedSecurityGroupId) }),
    });
    await rebalance(account);
    await applySecurityGroups(account);
}
