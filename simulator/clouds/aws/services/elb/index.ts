import type { Account } from "../../account";
import type { Tags } from "../../created";
import type { Action } from "../query/action";
import { elbDialect, queryApi } from "../query/protocol";
import { classicActions } from "./classic";
import { describeTags } from "./describe-tags";
import { listenerActions } from "./listeners";
import { networkBalancerActions } from "./network-balancers";
import { targetGroupActions } from "./target-groups";

/** Elastic Load Balancing's second generation: network load balancers, which a Service requests with an annotation. */
const networkActions: Readonly<Record<string, Action>> = {
    ...networkBalancerActions,
    ...targetGroupActions,
    ...listenerActions,
    DescribeTags: describeTags("ResourceArns", "ResourceArn", tagsOf),
};

const kinds = ["loadBalancers", "targetGroups", "listeners"] as const;

function tagsOf({ resources }: Account, arn: string): Tags | undefined {
    return kinds.map((kind) => resources[kind][arn]).find((each) => each !== undefined)?.tags;
}

/** Elastic Load Balancing of both generations, as far as a cloud controller uses it. Source: their API references. */
export const elasticLoadBalancing = queryApi(/^elasticloadbalancing\.([a-z0-9-]+\.)?amazonaws\.com$/, [
    { version: "2012-06-01", dialect: elbDialect, actions: classicActions },
    { version: "2015-12-01", dialect: elbDialect, actions: networkActions },
]);
