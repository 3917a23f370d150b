import { mkdirSync } from "node:fs";
import { listRuntimePods } from "../../clients/containerd/pods";
import { serveHealth } from "../harness/health";
import { isLocked, logWait, takeLock } from "../harness/lock";
import { ownPod, runAgent } from "../harness/main";
import { readPlan } from "../harness/plan";
import { Api } from "./api";
import { Checkpointer } from "./checkpointer";
import { keepHostDirectories } from "./host-directories";
import { planSchema } from "./plan";
import { locks, standbyFlag } from "./standby";

async function main(path = "", flag?: string): Promise<void> {
    const plan = readPlan(path, planSchema);
    const { nodeName, ownUid } = ownPod();
    mkdirSync(plan.directories.state, { recursive: true, mode: 0o755 });
    keepHostDirectories(plan, console.log);
    const { active, parent } = locks(plan);
    const checkpointer = new Checkpointer({
        plan,
        ownUid,
        api: new Api(plan, nodeName),
        runtime: () => listRuntimePods(plan.runtimeSocket),
        log: console.log,
    });
    const waiting = logWait("checkpointer");
    if (flag === standbyFlag) {
        await takeLock(active, waiting);
        await checkpointer.run(() => isLocked(parent));
        console.log("the DaemonSet's pod is running here; giving way to it");
        return;
    }
    serveHealth(plan.healthPort, {
        live: () => checkpointer.stall(),
        ready: () => checkpointer.missing(),
        metrics: () => checkpointer.metrics(),
    });
    await takeLock(parent, waiting);
    await takeLock(active, waiting);
    await checkpointer.run(async () => false);
}

runAgent(main, { onSignal: "checkpoints and copies stay as they are" });
