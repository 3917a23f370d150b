import type { Account, Kinds } from "../../account";
import type { TargetGroup } from "../../balancers";
import { rebalance } from "../../balancing";
import { type Action, readAction } from "../query/action";
import { numberOf, objectsOf, type Params, tagsOf, textOf, textsOf } from "../query/params";
import type { Said } from "../query/xml";
import { askedAttributes, attributesSaid } from "./network-balancers";
import { findTagged, onArn, service, toMake } from "./tagged-needs";

const describe = readAction(`${service}:DescribeTargetGroups`, ({ account, params }) => {
    const { targetGroups, listeners } = account.resources;
    const arns = textsOf(params, "TargetGroupArns");
    for (const arn of arns) findTagged({ account }, "targetGroups", arn);
    const balancer = params.LoadBalancerArn;
    const isOf = (arn: string) =>
        Object.values(listeners).some((each) => each.targetGroup === arn && each.loadBalancer === balancer);
    const found = Object.entries(targetGroups).filter(
        ([arn]) => (arns.length === 0 || arns.includes(arn)) && (balancer === undefined || isOf(arn)),
    );
    return { TargetGroups: found.map(([arn, each]) => described(account, arn, each)) };
});

function described(account: Account, arn: string, { name, vpc, port, said }: TargetGroup): Said {
    const listeners = account.all("listeners").filter(({ targetGroup }) => targetGroup === arn);
    return {
        TargetGroupArn: arn,
        TargetGroupName: name,
        Port: port,
        VpcId: vpc,
        TargetType: "instance",
        Protocol: "TCP",
        ...said,
        LoadBalancerArns: [...new Set(listeners.map(({ loadBalancer }) => loadBalancer))],
    };
}

/** The requested health check settings. */
const checkNames = [
    "HealthCheckProtocol",
    "HealthCheckPort",
    "HealthCheckPath",
    "HealthCheckIntervalSeconds",
    "HealthCheckTimeoutSeconds",
    "HealthyThresholdCount",
    "UnhealthyThresholdCount",
];

function checkOf(params: Params, port: number, before: TargetGroup["said"] = {}): Pick<TargetGroup, "said" | "check"> {
    const asked = checkNames.flatMap((name) => (params[name] === undefined ? [] : [[name, String(params[name])]]));
    const said: Record<string, string> = { ...before, ...Object.fromEntries(asked) };
    const { HealthCheckProtocol: protocol, HealthCheckPort: on, HealthCheckPath: path } = said;
    const isHttp = protocol === "HTTP" && path !== undefined;
    return { said, ...(isHttp && { check: { port: on === "traffic-port" ? port : Number(on), path } }) };
}

const create: Action = {
    needs: (call) => {
        const arn = call.account.arn(service, `targetgroup/${textOf(call.params, "Name")}/*`);
        return toMake("CreateTargetGroup", call, arn, arn);
    },
    run: ({ account, params, role }) => {
        const name = textOf(params, "Name");
        if (params.Protocol !== "TCP") throw new Error(`ValidationError: ${params.Protocol} is not simulated`);
        if (account.all("targetGroups").some((each) => each.name === name)) {
            throw new Error(`DuplicateTargetGroupName: A target group '${name}' already exists`);
        }
        const port = numberOf(params, "Port");
        const arn = account.arn(service, `targetgroup/${name}/${account.newId("tg").slice(3, 19)}`);
        const check = checkOf(params, port);
        const vpc = textOf(params, "VpcId");
        account.put("targetGroups", arn, { name, vpc, port, ...check, tags: tagsOf(params, "Tags"), createdBy: role });
        return { TargetGroups: [described(account, arn, account.find("targetGroups", arn))] };
    },
};

const modify: Action = {
    needs: onArn("ModifyTargetGroup", "targetGroups", "TargetGroupArn"),
    run: async ({ account, params }) => {
        const arn = textOf(params, "TargetGroupArn");
        account.change("targetGroups", arn, (now) => ({ ...now, ...checkOf(params, now.port, now.said) }));
        await rebalance(account);
        return { TargetGroups: [described(account, arn, account.find("targetGroups", arn))] };
    },
};

const deleteTargetGroup: Action = {
    needs: onArn("DeleteTargetGroup", "targetGroups", "TargetGroupArn"),
    run: ({ account, params }) => {
        const arn = textOf(params, "TargetGroupArn");
        if (account.all("listeners").some((each) => each.targetGroup === arn)) {
            throw new Error(`ResourceInUse: Target group '${arn}' is currently in use by a listener or a rule`);
        }
        removeTargets(account, (each) => each.targetGroup === arn);
        account.remove("targetGroups", arn);
        return {};
    },
};

function removeTargets(account: Account, isRemoved: (each: Kinds["targets"]) => boolean): void {
    for (const [id, each] of Object.entries(account.resources.targets)) {
        if (isRemoved(each)) account.remove("targets", id);
    }
}

const askedTargets = (params: Params) => objectsOf(params, "Targets").map((each) => textOf(each, "Id"));

const register: Action = {
    needs: onArn("RegisterTargets", "targetGroups", "TargetGroupArn"),
    run: async ({ account, params }) => {
        const targetGroup = textOf(params, "TargetGroupArn");
        for (const instance of askedTargets(params)) {
            const found = account.resources.instances[instance];
            if (!found) throw new Error(`InvalidTarget: The target '${instance}' does not exist`);
            account.put("targets", `${targetGroup} ${instance}`, { name: found.name, targetGroup, instance });
        }
        await rebalance(account);
        return {};
    },
};

const deregister: Action = {
    needs: onArn("DeregisterTargets", "targetGroups", "TargetGroupArn"),
    run: async ({ account, params }) => {
        const arn = textOf(params, "TargetGroupArn");
        const removed = askedTargets(params);
        removeTargets(account, (each) => each.targetGroup === arn && removed.includes(each.instance));
        await rebalance(account);
        return {};
    },
};

const describeHealth = readAction(`${service}:DescribeTargetHealth`, ({ account, params }) => {
    const arn = textOf(params, "TargetGroupArn");
    const { port } = findTagged({ account }, "targetGroups", arn);
    const targets = account.all("targets").filter(({ targetGroup }) => targetGroup === arn);
    return {
        TargetHealthDescriptions: targets.map(({ instance }) => ({
            Target: { Id: instance, Port: port },
            // HAProxy checks the targets: callers here only need the registered ones.
            TargetHealth: { State: "healthy" },
        })),
    };
});

const defaults = { "preserve_client_ip.enabled": "true", "proxy_protocol_v2.enabled": "false" };

export const targetGroupActions: Readonly<Record<string, Action>> = {
    DescribeTargetGroups: describe,
    CreateTargetGroup: create,
    ModifyTargetGroup: modify,
    DeleteTargetGroup: deleteTargetGroup,
    RegisterTargets: register,
    DeregisterTargets: deregister,
    DescribeTargetHealth: describeHealth,
    DescribeTargetGroupAttributes: readAction(`${service}:DescribeTargetGroupAttributes`, (call) => {
        findTagged(call, "targetGroups", textOf(call.params, "TargetGroupArn"));
        return { Attributes: attributesSaid(defaults) };
    }),
    ModifyTargetGroupAttributes: {
        needs: onArn("ModifyTargetGroupAttributes", "targetGroups", "TargetGroupArn"),
        run: ({ params }) => ({ Attributes: attributesSaid(askedAttributes(params)) }),
    },
};
