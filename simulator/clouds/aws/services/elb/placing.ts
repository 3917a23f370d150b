import { createHash } from "node:crypto";
import { setRecord } from "../../../shared/dns";
import type { Account } from "../../account";
import type { Balancer } from "../../balancers";
import { balancersOf, removeBalancer } from "../../balancing";

type Place = Pick<Balancer, "vpc" | "address" | "dnsName" | "subnets" | "groups" | "container" | "scheme">;

interface Asked {
    readonly name: string;
    readonly scheme: string;
    readonly subnets: readonly string[];
    readonly groups: readonly string[];
}

/** Where a load balancer created from within a cluster is placed; throws the service's errors. */
export function placeFor(account: Account, kind: "classic" | "net", { name, scheme, subnets, groups }: Asked): Place {
    const { subnets: known, securityGroups, gateways } = account.resources;
    const homes = subnets.map((id) => {
        const found = known[id];
        if (!found) throw new Error(`SubnetNotFound: The subnet ID '${id}' does not exist`);
        return found;
    });
    const vpc = homes[0]?.vpc;
    if (vpc === undefined) throw new Error("ValidationError: At least one subnet must be specified");
    if (new Set(homes.map(({ zone }) => zone)).size < homes.length) {
        throw new Error("InvalidConfigurationRequest: Only one subnet per Availability Zone can be specified");
    }
    const unknown = groups.find((id) => securityGroups[id]?.vpc !== vpc);
    if (unknown !== undefined) throw new Error(`InvalidSecurityGroup: The security group '${unknown}' does not exist`);
    if (scheme !== "internal" && !Object.values(gateways).some((each) => each.vpc === vpc)) {
        throw new Error(`InvalidSubnet: VPC ${vpc} has no internet gateway`);
    }
    const digits = createHash("sha256").update(`${kind} ${name}`).digest("hex").slice(0, 10);
    const { region } = account.state;
    const inside = scheme === "internal" ? "internal-" : "";
    const domain = kind === "net" ? `elb.${region}.amazonaws.com` : `${region}.elb.amazonaws.com`;
    return {
        vpc,
        scheme,
        subnets,
        groups,
        address: lastFree(account, homes[0]!.cidr),
        dnsName: `${inside}${name}-${digits}.${domain}`.toLowerCase(),
        container: `${kind}-${name}`.toLowerCase(),
    };
}

/** Instances get a subnet's addresses from the first one up, load balancers from the last one down. */
export function lastFree(account: Account, cidr: string): string {
    const taken = [...account.all("instances"), ...balancersOf(account.resources)].map(({ address }) => address);
    const [first = "", prefix] = cidr.split("/");
    const bytes = first.split(".").map(Number);
    for (let last = Math.min(2 ** (32 - Number(prefix)), 256) - 2; last > 3; last--) {
        const address = [...bytes.slice(0, 3), bytes[3]! + last].join(".");
        if (!taken.includes(address)) return address;
    }
    throw new Error(`InvalidSubnet: Not enough IP space available in ${cidr}`);
}

/** Makes its name resolvable in its VPC. */
export async function publishName(account: Account, { vpc, dnsName, address }: Balancer): Promise<void> {
    const network = account.resources.vpcs[vpc]?.name;
    if (network !== undefined) await setRecord([network], dnsName, { name: dnsName, address });
}

/** Removes its name and its container, and then what `forget` removes from the account. */
export async function tearDown(account: Account, balancer: Balancer, forget: () => void): Promise<void> {
    const network = account.resources.vpcs[balancer.vpc]?.name;
    if (network !== undefined) await setRecord([network], balancer.dnsName);
    await removeBalancer(account, balancer, forget);
}
