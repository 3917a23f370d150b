import type { Account } from "../../account";
import type { ClassicLoadBalancer, ClassicPort } from "../../balancers";
import { rebalance } from "../../balancing";
import { applySecurityGroups } from "../../rules";
import { type Action, type Call, type Need, readAction } from "../query/action";
import { numberOf, objectOf, objectsOf, type Params, type Tags, tagsOf, textOf, textsOf } from "../query/params";
import type { Said } from "../query/xml";
import { attributesOf, attributesSaid } from "./classic-attributes";
import { describeTags } from "./describe-tags";
import { placeFor, publishName, tearDown } from "./placing";

const service = "elasticloadbalancing";

function find(account: Account, name: string): ClassicLoadBalancer {
    const found = account.resources.classicLoadBalancers[name];
    if (!found) throw new Error(`LoadBalancerNotFound: There is no ACTIVE Load Balancer named '${name}'`);
    return found;
}

const describe = readAction(`${service}:DescribeLoadBalancers`, ({ account, params }) => {
    const names = textsOf(params, "LoadBalancerNames");
    const all = names.length > 0 ? names.map((each) => find(account, each)) : account.all("classicLoadBalancers");
    return { LoadBalancerDescriptions: all.map((each) => described(account, each)) };
});

function described(account: Account, balancer: ClassicLoadBalancer): Said {
    const { name: LoadBalancerName, vpc, dnsName, subnets, groups, scheme, ports, check, instances } = balancer;
    return {
        LoadBalancerName,
        DNSName: dnsName,
        CanonicalHostedZoneNameID: "Z0CLASSICSIMULATED",
        Scheme: scheme,
        VPCId: vpc,
        Subnets: subnets,
        AvailabilityZones: subnets.flatMap((id) => account.resources.subnets[id]?.zone ?? []),
        SecurityGroups: groups,
        Instances: instances.map((InstanceId) => ({ InstanceId })),
        ListenerDescriptions: ports.map(({ port, protocol, instancePort, instanceProtocol }) => ({
            Listener: {
                LoadBalancerPort: port,
                Protocol: protocol,
                InstancePort: instancePort,
                InstanceProtocol: instanceProtocol,
            },
            PolicyNames: [],
        })),
        HealthCheck: {
            Target: check.target,
            Interval: check.interval,
            Timeout: check.timeout,
            HealthyThreshold: check.healthyThreshold,
            UnhealthyThreshold: check.unhealthyThreshold,
        },
        BackendServerDescriptions: [],
    };
}

const create: Action = {
    needs: ({ account, params }) => {
        const on = account.arn(service, `loadbalancer/${textOf(params, "LoadBalancerName")}`);
        const asked = tagsOf(params, "Tags");
        const tagging = {
            action: `${service}:AddTags`,
            on,
            asked,
            context: { [`${service}:CreateAction`]: "CreateLoadBalancer" },
        };
        return [
            { action: `${service}:CreateLoadBalancer`, on, asked },
            ...(Object.keys(asked).length > 0 ? [tagging] : []),
        ];
    },
    run: async ({ account, params, role }) => {
        const called = textOf(params, "LoadBalancerName");
        if (account.resources.classicLoadBalancers[called]) {
            throw new Error(`DuplicateLoadBalancerName: The load balancer '${called}' already exists`);
        }
        const ports = portsOf(params);
        const groups = textsOf(params, "SecurityGroups");
        const scheme = typeof params.Scheme === "string" ? params.Scheme : "internet-facing";
        const asked = { name: called, scheme, subnets: textsOf(params, "Subnets"), groups };
        const created: ClassicLoadBalancer = {
            name: called,
            ...placeFor(account, "classic", asked),
            ports,
            check: {
                target: `TCP:${ports[0]!.instancePort}`,
                interval: 30,
                timeout: 5,
                healthyThreshold: 10,
                unhealthyThreshold: 2,
            },
            instances: [],
            tags: tagsOf(params, "Tags"),
            createdBy: role,
        };
        account.put("classicLoadBalancers", called, created);
        await publishName(account, created);
        await rebalance(account);
        await applySecurityGroups(account);
        return { DNSName: created.dnsName };
    },
};

/** The requested listeners; HAProxy does TCP whatever their protocol. */
function portsOf(params: Params): ClassicPort[] {
    return objectsOf(params, "Listeners").map((each) => {
        const protocol = textOf(each, "Protocol").toUpperCase();
        if (!["TCP", "HTTP"].includes(protocol)) {
            throw new Error(`ValidationError: the protocol ${protocol} is not simulated`);
        }
        return {
            port: numberOf(each, "LoadBalancerPort"),
            protocol,
            instancePort: numberOf(each, "InstancePort"),
            instanceProtocol: String(each.InstanceProtocol ?? protocol).toUpperCase(),
        };
    });
}

/** A change of an existing load balancer, which its tags may or may not allow. */
function change(
    action: string,
    make: (now: ClassicLoadBalancer, call: Call) => ClassicLoadBalancer,
    say: (now: ClassicLoadBalancer) => Said = () => ({}),
): Action {
    return {
        needs: (call) => onBalancer(action, call),
        run: async (call) => {
            const { account, params } = call;
            const called = textOf(params, "LoadBalancerName");
            make(find(account, called), call);
            account.change("classicLoadBalancers", called, (now) => make(now, call));
            await rebalance(account);
            await applySecurityGroups(account);
            return say(find(account, called));
        },
    };
}

function onBalancer(action: string, { account, params }: Call, tags?: Tags): Need[] {
    const called = textOf(params, "LoadBalancerName");
    const on = account.arn(service, `loadbalancer/${called}`);
    return [{ action: `${service}:${action}`, on, tags: tags ?? account.resources.classicLoadBalancers[called]?.tags }];
}

const instancesSaid = ({ instances }: ClassicLoadBalancer): Said => ({
    Instances: instances.map((InstanceId) => ({ InstanceId })),
});
const askedInstances = ({ account, params }: Call) =>
    objectsOf(params, "Instances").map((each) => {
        const id = textOf(each, "InstanceId");
        if (!account.resources.instances[id]) throw new Error(`InvalidInstance: Could not find EC2 instance ${id}`);
        return id;
    });

const deleteLoadBalancer: Action = {
    needs: (call) => onBalancer("DeleteLoadBalancer", call),
    run: async ({ account, params }) => {
        const called = textOf(params, "LoadBalancerName");
        const found = account.resources.classicLoadBalancers[called];
        // The service silently ignores a missing one.
        if (found) await tearDown(account, found, () => account.remove("classicLoadBalancers", called));
        await applySecurityGroups(account);
        return {};
    },
};

const addTags: Action = {
    needs: ({ account, params }) => {
        const asked = tagsOf(params, "Tags");
        return textsOf(params, "LoadBalancerNames").map((each) => ({
            action: `${service}:AddTags`,
            on: account.arn(service, `loadbalancer/${each}`),
            tags: find(account, each).tags,
            asked,
        }));
    },
    run: ({ account, params }) => {
        for (const each of textsOf(params, "LoadBalancerNames")) {
            account.change("classicLoadBalancers", each, (now) => ({
                ...now,
                tags: { ...now.tags, ...tagsOf(params, "Tags") },
            }));
        }
        return {};
    },
};

/** Elastic Load Balancing's first generation, which a Service gets by default. */
export const classicActions: Readonly<Record<string, Action>> = {
    DescribeLoadBalancers: describe,
    CreateLoadBalancer: create,
    DeleteLoadBalancer: deleteLoadBalancer,
    AddTags: addTags,
    DescribeTags: describeTags("LoadBalancerNames", "LoadBalancerName", (account, name) => find(account, name).tags),
    CreateLoadBalancerListeners: change("CreateLoadBalancerListeners", (now, { params }) => ({
        ...now,
        ports: [...now.ports, ...portsOf(params)],
    })),
    DeleteLoadBalancerListeners: change("DeleteLoadBalancerListeners", (now, { params }) => {
        const removed = textsOf(params, "LoadBalancerPorts").map(Number);
        return { ...now, ports: now.ports.filter(({ port }) => !removed.includes(port)) };
    }),
    ConfigureHealthCheck: change(
        "ConfigureHealthCheck",
        (now, { params }) => {
            const asked = objectOf(params, "HealthCheck");
            return {
                ...now,
                check: {
                    target: textOf(asked, "Target"),
                    interval: numberOf(asked, "Interval"),
                    timeout: numberOf(asked, "Timeout"),
                    healthyThreshold: numberOf(asked, "HealthyThreshold"),
                    unhealthyThreshold: numberOf(asked, "UnhealthyThreshold"),
                },
            };
        },
        ({ check }) => ({ HealthCheck: { Target: check.target } }),
    ),
    ApplySecurityGroupsToLoadBalancer: change("ApplySecurityGroupsToLoadBalancer", (now, { params }) => ({
        ...now,
        groups: textsOf(params, "SecurityGroups"),
    })),
    AttachLoadBalancerToSubnets: change("AttachLoadBalancerToSubnets", (now, { params }) => ({
        ...now,
        subnets: [...new Set([...now.subnets, ...textsOf(params, "Subnets")])],
    })),
    DetachLoadBalancerFromSubnets: change("DetachLoadBalancerFromSubnets", (now, { params }) => ({
        ...now,
        subnets: now.subnets.filter((each) => !textsOf(params, "Subnets").includes(each)),
    })),
    RegisterInstancesWithLoadBalancer: change(
        "RegisterInstancesWithLoadBalancer",
        (now, call) => ({ ...now, instances: [...new Set([...now.instances, ...askedInstances(call)])] }),
        instancesSaid,
    ),
    DeregisterInstancesFromLoadBalancer: change(
        "DeregisterInstancesFromLoadBalancer",
        (now, { params }) => {
            const removed = objectsOf(params, "Instances").map((each) => textOf(each, "InstanceId"));
            return { ...now, instances: now.instances.filter((id) => !removed.includes(id)) };
        },
        instancesSaid,
    ),
    DescribeLoadBalancerAttributes: readAction(`${service}:DescribeLoadBalancerAttributes`, ({ account, params }) => ({
        LoadBalancerAttributes: attributesSaid(find(account, textOf(params, "LoadBalancerName"))),
    })),
    ModifyLoadBalancerAttributes: change(
        "ModifyLoadBalancerAttributes",
        (now, { params }) => ({ ...now, attributes: { ...now.attributes, ...attributesOf(params) } }),
        (now) => ({ LoadBalancerName: now.name, LoadBalancerAttributes: attributesSaid(now) }),
    ),
};
