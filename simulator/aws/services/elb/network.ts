import type { Account } from "../../account";
import type { Tags } from "../../made";
import type { Action } from "../query/action";
import { describeTags } from "./describe-tags";
import { listenerActions } from "./listeners";
import { networkBalancerActions } from "./network-balancers";
import { targetGroupActions } from "./target-groups";

/** Elastic Load Balancing's second generation: network load balancers, which a Service asks for by an annotation. */
export const networkActions: Readonly<Record<string, Action>> = {
    ...networkBalancerActions,
    ...targetGroupActions,
    ...listenerActions,
    DescribeTags: describeTags("ResourceArns", "ResourceArn", tagsOf),
};

const kinds = ["loadBalancers", "targetGroups", "listeners"] as const;

function tagsOf({ resources }: Account, arn: string): Tags | undefined {
    return kinds.map((kind) => resources[kind][arn]).find((each) => each !== undefined)?.tags;
}
