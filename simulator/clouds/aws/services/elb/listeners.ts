import type { Account } from "../../account";
import { rebalance } from "../../balancing";
import { type Action, readAction } from "../query/action";
import { numberOf, objectsOf, type Params, tagsOf, textOf, textsOf } from "../query/params";
import type { Said } from "../query/xml";
import { findTagged, onArn, service, toMake } from "./tagged-needs";

const describe = readAction(`${service}:DescribeListeners`, ({ account, params }) => {
    const arns = textsOf(params, "ListenerArns");
    const found = Object.entries(account.resources.listeners).filter(
        ([arn, { loadBalancer }]) =>
            (arns.length === 0 || arns.includes(arn)) &&
            (params.LoadBalancerArn === undefined || params.LoadBalancerArn === loadBalancer),
    );
    return { Listeners: found.map(([arn]) => described(account, arn)) };
});

function described(account: Account, arn: string): Said {
    const { loadBalancer, port, targetGroup } = account.find("listeners", arn);
    return {
        ListenerArn: arn,
        LoadBalancerArn: loadBalancer,
        Port: port,
        Protocol: "TCP",
        DefaultActions: [{ Type: "forward", TargetGroupArn: targetGroup }],
    };
}

function targetOf(account: Account, params: Params): string {
    const [action] = objectsOf(params, "DefaultActions");
    const arn = textOf(action ?? {}, "TargetGroupArn");
    findTagged({ account }, "targetGroups", arn);
    return arn;
}

const create: Action = {
    needs: (call) => {
        const balancer = textOf(call.params, "LoadBalancerArn");
        const { tags } = findTagged(call, "loadBalancers", balancer);
        const created = `${balancer.replace(":loadbalancer/", ":listener/")}/*`;
        return toMake("CreateListener", call, balancer, created, tags);
    },
    run: async ({ account, params, role }) => {
        const loadBalancer = textOf(params, "LoadBalancerArn");
        if (params.Protocol !== "TCP") throw new Error(`ValidationError: ${params.Protocol} is not simulated`);
        const port = numberOf(params, "Port");
        if (account.all("listeners").some((each) => each.loadBalancer === loadBalancer && each.port === port)) {
            throw new Error(`DuplicateListener: A listener already exists on this port: ${port}`);
        }
        const { name } = account.find("loadBalancers", loadBalancer);
        const arn = `${loadBalancer.replace(":loadbalancer/", ":listener/")}/${account.newId("l").slice(2, 18)}`;
        const targetGroup = targetOf(account, params);
        const tags = tagsOf(params, "Tags");
        account.put("listeners", arn, { name, loadBalancer, targetGroup, port, tags, createdBy: role });
        await rebalance(account);
        return { Listeners: [described(account, arn)] };
    },
};

const modify: Action = {
    needs: onArn("ModifyListener", "listeners", "ListenerArn"),
    run: async ({ account, params }) => {
        const arn = textOf(params, "ListenerArn");
        const targetGroup = targetOf(account, params);
        account.change("listeners", arn, (now) => ({ ...now, targetGroup }));
        await rebalance(account);
        return { Listeners: [described(account, arn)] };
    },
};

const deleteListener: Action = {
    needs: onArn("DeleteListener", "listeners", "ListenerArn"),
    run: async ({ account, params }) => {
        account.remove("listeners", textOf(params, "ListenerArn"));
        await rebalance(account);
        return {};
    },
};

export const listenerActions: Readonly<Record<string, Action>> = {
    DescribeListeners: describe,
    CreateListener: create,
    ModifyListener: modify,
    DeleteListener: deleteListener,
};
