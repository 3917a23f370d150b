import { leadElsewhere } from "../../common/etcd-leader";
import { leavingMembers } from "../members";
import type { Step } from "../run";

/** The leader is one that stays. */
export const moveLeader: Step = {
    name: "move-leader",
    run: (run) => leadElsewhere(run.etcd, (members) => leavingMembers(run.plan, members), run),
};
