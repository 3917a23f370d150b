import type { Properties } from "../../plugins/protocol/serve";
import { oneOf, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import { type Account, nameOf } from "./account";
import { id, ids, tags, yesOrNo } from "./rules";

/** Services that exist according to the simulator, including those with gateway endpoints. */
const gateways = ["s3", "dynamodb"];

/**
 * An endpoint of a service: an entry in the account. With it, an instance without internet access can download its
 * config and use that AWS service.
 */
export const vpcEndpoint: Simulated<Account> = {
    inputs: {
        vpcId: id("vpc", required),
        serviceName: text(
            "a service's name com.amazonaws.<region>.<service>",
            /^com\.amazonaws\.[a-z0-9-]+\.[a-z0-9.-]+$/,
            required,
        ),
        vpcEndpointType: oneOf(["Gateway", "Interface"], required),
        routeTableIds: ids("rtb"),
        subnetIds: ids("subnet"),
        securityGroupIds: ids("sg"),
        privateDnsEnabled: yesOrNo,
        tags,
    },
    outputs: ["arn", "cidrBlocks", "dnsEntries", "networkInterfaceIds", "ownerId", "prefixListId", "state"],
    async create(account, inputs) {
        const created = account.newId("vpce");
        put(account, created, inputs);
        return { id: created, outputs: { arn: account.arn("ec2", `vpc-endpoint/${created}`), state: "available" } };
    },
    async update(account, endpointId, inputs) {
        put(account, endpointId, inputs);
        return undefined;
    },
    async delete(account, endpointId) {
        account.find("endpoints", endpointId);
        account.remove("endpoints", endpointId);
    },
};

function put(account: Account, created: string, inputs: Properties): void {
    const { vpcId, serviceName, vpcEndpointType, privateDnsEnabled, tags: given } = inputs;
    const [tables, subnets, groups] = [inputs.routeTableIds, inputs.subnetIds, inputs.securityGroupIds].map(
        (each) => (each ?? []) as string[],
    ) as [string[], string[], string[]];
    const { hasDnsHostnames } = account.find("vpcs", vpcId);
    const hasPrivateDns = privateDnsEnabled === true;
    const { region } = account.state;
    const service = String(serviceName).slice(`com.amazonaws.${region}.`.length);
    if (!String(serviceName).startsWith(`com.amazonaws.${region}.`)) {
        throw new Error(`InvalidServiceName: The Vpc Endpoint Service '${serviceName}' does not exist`);
    }
    const isGateway = vpcEndpointType === "Gateway";
    if (isGateway && (!gateways.includes(service) || subnets.length + groups.length > 0 || hasPrivateDns)) {
        throw new Error(`InvalidParameter: Endpoint type (Gateway) does not match ${service} or its parameters`);
    }
    if (!isGateway && (tables.length > 0 || subnets.length === 0 || groups.length === 0)) {
        throw new Error(
            "InvalidParameter: an endpoint of the type Interface has subnets and groups, and no route tables",
        );
    }
    for (const [kind, all] of [
        ["routeTables", tables],
        ["subnets", subnets],
        ["securityGroups", groups],
    ] as const) {
        for (const each of all) {
            if (account.find(kind, each).vpc !== vpcId) {
                throw new Error(`InvalidParameter: ${each} and the endpoint belong to two networks`);
            }
        }
    }
    const zones = subnets.map((each) => account.find("subnets", each).zone);
    if (new Set(zones).size < zones.length) {
        throw new Error(`DuplicateSubnetsInSameZone: Found another VPC endpoint subnet in the zone of ${subnets}`);
    }
    if (hasPrivateDns && !hasDnsHostnames) {
        throw new Error(
            "InvalidParameter: Enabling private DNS requires both enableDnsSupport and enableDnsHostnames VPC attributes",
        );
    }
    const others = Object.entries(account.resources.endpoints).filter(([other]) => other !== created);
    const ofService = others.flatMap(([, each]) => (each.vpc === vpcId && each.service === service ? [each] : []));
    if (ofService.some((each) => each.tables.some((table) => tables.includes(table)))) {
        throw new Error(`RouteAlreadyExists: a route table of ${tables} leads to ${service} already`);
    }
    if (hasPrivateDns && ofService.some((each) => each.hasPrivateDns)) {
        throw new Error(
            `InvalidParameter: private-dns-enabled cannot be set because there is an endpoint of ${service}`,
        );
    }
    const where = { vpc: String(vpcId), service, tables, subnets, groups, hasPrivateDns };
    account.put("endpoints", created, { name: nameOf(given, created), ...where });
}
