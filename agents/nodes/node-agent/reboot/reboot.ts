import type { ApiView } from "../api";
import type { RebootOnNode } from "../observe";
import type { Limits, NodeAgentPlan } from "../plan";
import { Progress } from "../progress";
import { decideReboot, type RebootAction, type RebootDecision, type RebootJournal } from "./decide";
import type { Host } from "./host";
import { yieldLead } from "./yield-lead";

interface RebootTools {
    readonly plan: Pick<NodeAgentPlan, "etcd">;
    readonly api: Pick<ApiView, "ask" | "nodeName">;
    readonly host: Host;
}

/** A node's reboot. */
export class Reboot extends Progress<RebootJournal, RebootTools> {
    /** @param isChanging - whether the kubelet is not the desired one */
    decide(observation: RebootOnNode, isChanging: boolean, limits: Limits): RebootDecision {
        const observed = { ...observation, isKubeletAsDesired: !isChanging };
        return this.advance((journal, memory, now) => decideReboot(journal, observed, memory, now, limits));
    }

    /** Does everything that does not involve the kubelet. */
    async act(action: RebootAction): Promise<void> {
        const { plan, api, host } = this.tool;
        switch (action) {
            case "ask":
            case "withdraw":
                await api.ask(action === "ask" ? host.boot() : undefined);
                break;
            case "yield":
                if (plan.etcd) this.log(await yieldLead(plan.etcd, api.nodeName));
                break;
            case "reboot":
                if (this.journal.phase === "rebooting") host.reboot(this.journal.boot);
                break;
            case "recall":
                host.recall();
        }
    }
}
