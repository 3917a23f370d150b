import type { NodeAgentPlan } from "../../agents/node-agent/plan";

/** How a pool's agents learn that their machines are taken away, and whom they tell that a node is drained. */
export type Departures = Required<Pick<NodeAgentPlan, "noticesFrom" | "group">>;

/** Worker pools whose machines come and go by themselves, at any time, under names that the cloud gives. */
export interface MachineGroups {
    /** Regular expression of their nodes' whole names. */
    readonly namePattern: string;
    /** How many nodes there may be at a time, by pool. */
    readonly max: Readonly<Record<string, number>>;
    /** By pool. @default no machine is taken away with a notice */
    readonly departures?: Readonly<Record<string, Departures>>;
}
