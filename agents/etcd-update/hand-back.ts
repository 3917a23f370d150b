import { memberProcess } from "../common/etcd-process";
import { type Lock, takeLock } from "../common/lock";
import { handBackLock, isStanding } from "../common/member-runner";
import { waitFor } from "../common/wait";
import { readManifest } from "./disk";
import { commandOf } from "./manifest";
import type { Step } from "./run";

/** Held until this process ends: a step may be taken twice. */
const held = new Map<string, Promise<Lock>>();

/**
 * The member is run by the machine's static pod, and stays so for as long as this agent is at work: what is on trial then is
 * that pod alone. A pod of the API gives way while the lock is held: docs/levels.md.
 */
export const handBack: Step = {
    name: "hand-back",
    run: async (run) => {
        const { plan } = run;
        if (!isStanding(commandOf(readManifest(plan)))) {
            return "no pod of the API runs it";
        }
        const { data } = plan.directories;
        const onWait = () => run.report("another agent is at work here; waiting for its end");
        if (!held.has(data)) held.set(data, takeLock(handBackLock(data), onWait, { former: true }));
        await held.get(data);
        await waitFor(run, "the machine's static pod to run the member", async () =>
            memberProcess(data)?.runner === "pod" ? "a pod of the API runs it" : undefined,
        );
        return "the machine's static pod runs it";
    },
};
