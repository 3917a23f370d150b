import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Properties } from "../../plugins/protocol/serve";
import { met } from "../shared/behaviours";
import { listOf, oneOf, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account, Subnet } from "./account";
import type { Balancer, TargetGroup } from "./balancers";
import { rebalance, removeBalancer } from "./balancing";
import { applySecurityGroups, arn, has, id, ids, is, isNumberOf, tags, wholeNumber, yesOrNo } from "./rules";
import { lastFree } from "./services/elb/placing";

const name = text(
    "at most 32 letters, digits and dashes, not beginning with internal-",
    /^(?!internal-|-)[A-Za-z0-9-]{1,32}(?<!-)$/,
    required,
);

/** Seconds until a load balancer is active: AWS takes two to five minutes. */
export const provisioningSeconds = 20;

/**
 * A network load balancer: the machines' HAProxy in the VPC's network, once it is active; its creation waits until
 * then.
 */
export const loadBalancer: Simulated<Account> = {
    inputs: {
        name,
        loadBalancerType: oneOf(["network"], required),
        internal: oneOf([true, false], required),
        subnets: ids("subnet", required),
        securityGroups: ids("sg", required),
        enableCrossZoneLoadBalancing: oneOf([true]),
        ipAddressType: oneOf(["ipv4", "dualstack"]),
        tags,
    },
    outputs: ["arn", "arnSuffix", "dnsName", "vpcId", "zoneId"],
    async create(account, { name: called, internal, subnets, securityGroups, ipAddressType }) {
        const homes = (subnets as string[]).map((each) => account.find("subnets", each));
        requireIpv6(homes, ipAddressType);
        for (const group of securityGroups as string[]) account.find("securityGroups", group);
        const zones = homes.map(({ zone }) => zone);
        if (new Set(zones).size < zones.length) {
            throw new Error(
                "InvalidConfigurationRequest: A load balancer cannot be attached to two subnets of one zone",
            );
        }
        const vpc = homes[0]!.vpc;
        if (internal !== true && !account.all("gateways").some((each) => each.vpc === vpc)) {
            throw new Error(`InvalidSubnet: VPC ${vpc} has no internet gateway`);
        }
        if (account.all("loadBalancers").some((each) => each.name === called)) {
            throw new Error(`DuplicateLoadBalancerName: A load balancer with the name '${called}' already exists`);
        }
        const digits = createHash("sha256").update(account.newId("lb")).digest("hex").slice(0, 16);
        const suffix = `net/${called}/${digits}`;
        const created = account.arn("elasticloadbalancing", `loadbalancer/${suffix}`);
        const dnsName = `${called}-${digits}.elb.${account.state.region}.amazonaws.com`;
        account.put("loadBalancers", created, {
            name: String(called),
            vpc,
            state: "provisioning",
            ...placeOf(account, String(called), homes),
            dnsName,
            ...(internal === true && { scheme: "internal" }),
            subnets: subnets as string[],
            groups: securityGroups as string[],
        });
        const seconds = account.state.loadBalancerSeconds ?? provisioningSeconds;
        if (seconds > 0) met("late load balancer");
        await sleep(seconds * 1000);
        account.change("loadBalancers", created, ({ state: _, ...active }) => active);
        await rebalance(account);
        await applySecurityGroups(account);
        return {
            id: created,
            outputs: { arn: created, arnSuffix: suffix, dnsName, vpcId: vpc, zoneId: "ZNLB0SIMULATED" },
        };
    },
    async update(account, lbArn, { subnets, securityGroups, ipAddressType }) {
        requireIpv6(
            (subnets as string[]).map((each) => account.find("subnets", each)),
            ipAddressType,
        );
        const before = account.find("loadBalancers", lbArn);
        account.put("loadBalancers", lbArn, {
            ...before,
            subnets: subnets as string[],
            groups: securityGroups as string[],
        });
        await rebalance(account);
        await applySecurityGroups(account);
        return undefined;
    },
    async delete(account, lbArn) {
        const balancer = account.find("loadBalancers", lbArn);
        await removeBalancer(account, balancer, () => account.remove("loadBalancers", lbArn));
        await applySecurityGroups(account);
    },
};

/** The API's has the address that is its in local networks too; only one such load balancer is simulated in a VPC. */
function placeOf(account: Account, called: string, [home]: readonly Subnet[]): Pick<Balancer, "address" | "container"> {
    const { vpc, cidr } = home!;
    if (!called.endsWith("-api")) return { address: lastFree(account, cidr), container: `net-${called}`.toLowerCase() };
    if (account.all("loadBalancers").some((each) => each.vpc === vpc && !each.container)) {
        throw new Error("two load balancers named -api in a VPC are not simulated");
    }
    return { address: account.find("vpcs", vpc).cidr.replace(/\.\d+\/\d+$/, ".3") };
}

function requireIpv6(subnets: readonly Subnet[], ipAddressType: unknown): void {
    const without = subnets.find(({ ipv6Cidr }) => !ipv6Cidr);
    if (ipAddressType === "dualstack" && without) {
        throw new Error(`InvalidSubnet: the subnet ${without.name} has no IPv6 block, which dualstack needs`);
    }
}

const times = {
    interval: isNumberOf(5, 300),
    timeout: isNumberOf(2, 120),
    healthyThreshold: isNumberOf(2, 10),
    unhealthyThreshold: isNumberOf(2, 10),
};
// "Health check interval must be greater than the timeout."
const isAboveTimeout = (value: unknown) => {
    const { interval, timeout } = value as { interval: number; timeout: number };
    return interval > timeout;
};
const isPort = (value: unknown) => /^\d+$/.test(String(value)) && isNumberOf(1, 65_535)(Number(value));
const isPath = (value: unknown) => /^\/[!-~]{0,1023}$/.test(String(value));
/** By protocol. */
const healthChecks = {
    HTTPS: { protocol: is("HTTPS"), port: is("6443"), path: is("/readyz"), matcher: is("200"), ...times },
    HTTP: { protocol: is("HTTP"), port: isPort, path: isPath, matcher: is("200"), ...times },
    TCP: { protocol: is("TCP"), port: isPort, path: is(undefined, ""), matcher: is(undefined, ""), ...times },
};

/**
 * The provider keeps values of a former check that are omitted, because they are computed too, and then refuses them.
 * Source: terraform-provider-aws#46011.
 */
function requireNoRest({ healthCheck: now }: Properties, { healthCheck: former }: Properties = {}): void {
    const [after, before] = [now, former] as (Partial<Check> | undefined)[];
    const left = (["matcher", "path"] as const).find((key) => before?.[key] && after?.[key] === undefined);
    if (after?.protocol !== "TCP" || left === undefined) return;
    const where = "health_check[0]";
    throw new Error(`Attribute "${where}.${left}" cannot be specified when "${where}.protocol" is "TCP".`);
}

/** A TCP target group: HAProxy applies its health check settings, except the timeout. HTTPS has TLS 1.2 at most. */
export const targetGroup: Simulated<Account> = {
    inputs: {
        name,
        vpcId: id("vpc", required),
        targetType: oneOf(["instance"], required),
        protocol: oneOf(["TCP"], required),
        port: wholeNumber(1, 65_535, required),
        // Targets always see HAProxy's own address; `noWayByName` knows what that would prevent.
        preserveClientIp: oneOf(["true", "false"], required),
        proxyProtocolV2: yesOrNo,
        deregistrationDelay: wholeNumber(0, 3600),
        healthCheck: {
            legal: "of HTTPS at /readyz on 6443, or of HTTP or TCP, with all times, and an interval above the timeout",
            isLegal: (value: unknown) =>
                Object.values(healthChecks).some((each) => has(value, each)) && isAboveTimeout(value),
            isRequired: true,
        },
        tags,
    },
    outputs: ["arn", "arnSuffix", "loadBalancerArns"],
    async create(account, inputs) {
        account.find("vpcs", inputs.vpcId);
        const suffix = `targetgroup/${inputs.name}/${account.newId("tg").slice(3, 19)}`;
        const created = account.arn("elasticloadbalancing", suffix);
        account.put("targetGroups", created, targetGroupOf(inputs));
        met("paced health checks");
        return { id: created, outputs: { arn: created, arnSuffix: suffix, loadBalancerArns: [] } };
    },
    async update(account, groupArn, inputs, before) {
        requireNoRest(inputs, before);
        account.put("targetGroups", groupArn, targetGroupOf(inputs));
        await rebalance(account);
        return undefined;
    },
    async delete(account, groupArn) {
        if (account.all("listeners").some((each) => each.targetGroup === groupArn)) {
            throw new Error(`ResourceInUse: Target group '${groupArn}' is currently in use by a listener`);
        }
        account.remove("targetGroups", groupArn);
    },
};

interface Check {
    readonly protocol: string;
    readonly port: string;
    readonly path: string;
    readonly matcher?: string;
    readonly interval: number;
    readonly healthyThreshold: number;
    readonly unhealthyThreshold: number;
}

function targetGroupOf(inputs: Properties): TargetGroup {
    const { name: called, vpcId, port, healthCheck, preserveClientIp, proxyProtocolV2 } = inputs;
    const { protocol, port: asked, path, ...times } = healthCheck as Check;
    return {
        name: String(called),
        vpc: String(vpcId),
        port: Number(port),
        ...(preserveClientIp === "true" && { preservesClient: true }),
        ...(proxyProtocolV2 === true && { hasProxyProtocol: true }),
        ...(protocol === "TCP" && { checksPort: true }),
        ...(protocol === "HTTP" && { check: { port: Number(asked), path } }),
        pace: {
            interval: times.interval,
            healthy: times.healthyThreshold,
            unhealthy: times.unhealthyThreshold,
        },
    };
}

export const listener: Simulated<Account> = {
    inputs: {
        loadBalancerArn: arn("elasticloadbalancing", required),
        protocol: oneOf(["TCP"], required),
        port: oneOf([6443, 80, 443], required),
        defaultActions: listOf(
            "actions that forward to a target group",
            (value: unknown) =>
                has(value, { type: is("forward"), targetGroupArn: (each) => /^arn:/.test(String(each)) }),
            required,
        ),
        tags,
    },
    outputs: ["arn"],
    async create(account, { loadBalancerArn, defaultActions, port }) {
        const { name: called } = account.find("loadBalancers", loadBalancerArn);
        if (account.all("listeners").some((each) => each.loadBalancer === loadBalancerArn && each.port === port)) {
            throw new Error(`DuplicateListener: A listener already exists on port ${port} of ${called}`);
        }
        const [{ targetGroupArn }] = defaultActions as [{ targetGroupArn: string }];
        requireFree(account, targetGroupArn, String(loadBalancerArn));
        const created = account.arn(
            "elasticloadbalancing",
            `listener/net/${called}/${account.newId("l").slice(2, 18)}`,
        );
        const forward = { loadBalancer: String(loadBalancerArn), targetGroup: targetGroupArn, port: Number(port) };
        account.put("listeners", created, { name: called, ...forward });
        await rebalance(account);
        return { id: created, outputs: { arn: created } };
    },
    async update(account, listenerArn, { defaultActions, port }) {
        const [{ targetGroupArn }] = defaultActions as [{ targetGroupArn: string }];
        const before = account.find("listeners", listenerArn);
        requireFree(account, targetGroupArn, before.loadBalancer);
        account.put("listeners", listenerArn, { ...before, targetGroup: targetGroupArn, port: Number(port) });
        await rebalance(account);
        return undefined;
    },
    async delete(account, listenerArn) {
        account.remove("listeners", listenerArn);
        await rebalance(account);
    },
};

/** A target group belongs to one load balancer. Source: "Target groups for your Network Load Balancers". */
function requireFree(account: Account, targetGroup: string, loadBalancer: string): void {
    const { name: called } = account.find("targetGroups", targetGroup);
    const other = account
        .all("listeners")
        .find((each) => each.targetGroup === targetGroup && each.loadBalancer !== loadBalancer);
    if (!other) return;
    throw new Error(
        `TargetGroupAssociationLimit: The target group '${called}' cannot be associated with more than one load balancer`,
    );
}

export const targetGroupAttachment: Simulated<Account> = {
    inputs: {
        targetGroupArn: arn("elasticloadbalancing", required),
        targetId: id("i", required),
        port: oneOf([6443]),
    },
    outputs: [],
    async create(account, { targetGroupArn, targetId }) {
        account.find("targetGroups", targetGroupArn);
        const { name: called } = account.find("instances", targetId);
        const created = `${targetGroupArn}-${account.newId("t")}`;
        account.put("targets", created, {
            name: called,
            targetGroup: String(targetGroupArn),
            instance: String(targetId),
        });
        await rebalance(account);
        return { id: created };
    },
    async delete(account, targetId) {
        account.remove("targets", targetId);
        await rebalance(account);
    },
};
