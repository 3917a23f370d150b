import type { Action } from "../query/action";
import { listenerActions } from "./listeners";
import { networkBalancerActions } from "./network-balancers";
import { targetGroupActions } from "./target-groups";

/** Elastic Load Balancing's second generation: network load balancers, which a Service asks for by an annotation. */
export const networkActions: Readonly<Record<string, Action>> = {
    ...networkBalancerActions,
    ...targetGroupActions,
    ...listenerActions,
};
