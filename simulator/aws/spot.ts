import type { Tree } from "../cloud/tree";
import type { Account, Instance } from "./account";

export interface SpotLoss {
    /** From the notice until the instance is taken away. Unit: seconds. @default 120, as on EC2 */
    readonly notice?: number;
    /** Whether it is told, too, that this is likely: EC2 may, and may not. @default false */
    readonly isRecommended?: boolean;
}

/** Takes a spot instance away, as EC2 does: a notice, and when its time has come a shutdown. */
export function loseSpot(account: Account, id: string, { notice = 120, isRecommended = false }: SpotLoss = {}): void {
    requireSpot(account, id);
    const now = new Date();
    const time = seconds(new Date(now.getTime() + notice * 1000));
    const told = { interruption: { action: "terminate" as const, time } };
    account.change("instances", id, (instance) => ({ ...instance, ...told }));
    if (isRecommended) recommendRebalance(account, id);
}

/** Tells that a spot instance is likely to be taken away. */
export function recommendRebalance(account: Account, id: string): void {
    requireSpot(account, id);
    const rebalance = { noticeTime: seconds(new Date()) };
    account.change("instances", id, (instance) => ({ ...instance, rebalance }));
}

function requireSpot(account: Account, id: string): void {
    if (!account.find("instances", id).isSpot) throw new Error(`only a spot instance is taken away, got ${id}`);
}

/** What the metadata service tells an instance of that; what is not so is not there. */
export function spotTree({ interruption, rebalance }: Instance): Tree {
    return {
        ...(interruption && {
            spot: { "instance-action": JSON.stringify(interruption), "termination-time": interruption.time },
        }),
        ...(rebalance && { events: { recommendations: { rebalance: JSON.stringify(rebalance) } } }),
    };
}

/** Without milliseconds, as the service tells times. */
function seconds(time: Date): string {
    return time.toISOString().replace(/\.\d+/, "");
}
