import type { Account } from "../../account";
import type { LoadBalancer } from "../../balancers";
import { rebalance } from "../../balancing";
import { applySecurityGroups } from "../../rules";
import { type Action, readAction } from "../query/action";
import { objectsOf, type Params, tagsOf, textOf, textsOf } from "../query/params";
import type { Said } from "../query/xml";
import { placeFor, publishName, tearDown } from "./placing";
import { findTagged, onArn, service, toMake } from "./tagged-needs";

const describe = readAction(`${service}:DescribeLoadBalancers`, ({ account, params }) => {
    const names = textsOf(params, "Names");
    const arns = textsOf(params, "LoadBalancerArns");
    const all = Object.entries(account.resources.loadBalancers);
    const found = all.filter(
        ([arn, each]) => (names.length === 0 || names.includes(each.name)) && (arns.length === 0 || arns.includes(arn)),
    );
    if (found.length < names.length + arns.length) throw new Error("LoadBalancerNotFound: One or more not found");
    return { LoadBalancers: found.map(([arn, each]) => described(account, arn, each)) };
});

function described(account: Account, arn: string, { name, vpc, dnsName, subnets, groups, scheme }: LoadBalancer): Said {
    return {
        LoadBalancerArn: arn,
        LoadBalancerName: name,
        DNSName: dnsName,
        CanonicalHostedZoneId: "ZNLB0SIMULATED",
        Scheme: scheme ?? "internet-facing",
        VpcId: vpc,
        State: { Code: "active" },
        Type: "network",
        AvailabilityZones: subnets.map((id) => ({ SubnetId: id, ZoneName: account.resources.subnets[id]?.zone })),
        SecurityGroups: groups,
        IpAddressType: "ipv4",
    };
}

const create: Action = {
    needs: (call) => {
        const arn = call.account.arn(service, `loadbalancer/net/${textOf(call.params, "Name")}/*`);
        return toMake("CreateLoadBalancer", call, arn, arn);
    },
    run: async ({ account, params, role }) => {
        const called = textOf(params, "Name");
        if (params.Type !== "network") throw new Error(`ValidationError: the type ${params.Type} is not simulated`);
        if (account.all("loadBalancers").some((each) => each.name === called)) {
            throw new Error(`DuplicateLoadBalancerName: A load balancer '${called}' already exists`);
        }
        const place = placeFor(account, "net", {
            name: called,
            scheme: typeof params.Scheme === "string" ? params.Scheme : "internet-facing",
            subnets: subnetsOf(params),
            groups: textsOf(params, "SecurityGroups"),
        });
        const arn = account.arn(service, `loadbalancer/net/${called}/${account.newId("lb").slice(3, 19)}`);
        account.put("loadBalancers", arn, { name: called, ...place, tags: tagsOf(params, "Tags"), createdBy: role });
        await publishName(account, account.find("loadBalancers", arn));
        await applySecurityGroups(account);
        return { LoadBalancers: [described(account, arn, account.find("loadBalancers", arn))] };
    },
};

function subnetsOf(params: Params): string[] {
    return [
        ...textsOf(params, "Subnets"),
        ...objectsOf(params, "SubnetMappings").map((each) => textOf(each, "SubnetId")),
    ];
}

const deleteLoadBalancer: Action = {
    needs: onArn("DeleteLoadBalancer", "loadBalancers", "LoadBalancerArn"),
    run: async ({ account, params }) => {
        const arn = textOf(params, "LoadBalancerArn");
        await tearDown(account, account.find("loadBalancers", arn), () => {
            for (const [id, { loadBalancer }] of Object.entries(account.resources.listeners)) {
                if (loadBalancer === arn) account.remove("listeners", id);
            }
            account.remove("loadBalancers", arn);
        });
        await rebalance(account);
        await applySecurityGroups(account);
        return {};
    },
};

const defaults = {
    "load_balancing.cross_zone.enabled": "false",
    "access_logs.s3.enabled": "false",
    "access_logs.s3.bucket": "",
    "access_logs.s3.prefix": "",
    "deletion_protection.enabled": "false",
};

export const attributesSaid = (all: Readonly<Record<string, string>>): Said =>
    Object.entries(all).map(([Key, Value]) => ({ Key, Value }));
export const askedAttributes = (params: Params) =>
    Object.fromEntries(objectsOf(params, "Attributes").map((each) => [textOf(each, "Key"), textOf(each, "Value")]));

export const networkBalancerActions: Readonly<Record<string, Action>> = {
    DescribeLoadBalancers: describe,
    CreateLoadBalancer: create,
    DeleteLoadBalancer: deleteLoadBalancer,
    DescribeLoadBalancerAttributes: readAction(`${service}:DescribeLoadBalancerAttributes`, (call) => {
        const { attributes } = findTagged(call, "loadBalancers", textOf(call.params, "LoadBalancerArn"));
        return { Attributes: attributesSaid({ ...defaults, ...attributes }) };
    }),
    ModifyLoadBalancerAttributes: {
        needs: onArn("ModifyLoadBalancerAttributes", "loadBalancers", "LoadBalancerArn"),
        run: ({ account, params }) => {
            const asked = askedAttributes(params);
            account.change("loadBalancers", textOf(params, "LoadBalancerArn"), (now) => ({
                ...now,
                attributes: { ...now.attributes, ...asked },
            }));
            return { Attributes: attributesSaid(asked) };
        },
    },
};
