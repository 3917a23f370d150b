import { restorePlanSchema } from "../../../agents/etcd/keeper/restore/plan";
import { restore } from "../../../agents/etcd/keeper/restore/restore";
import { readPlan } from "../../../agents/harness/plan";

const [path = "", at] = process.argv.slice(2);

void restore(readPlan(path, restorePlanSchema), ({ step, event }) => {
    if (`${step}:${event}` === at) {
        process.kill(process.pid, "SIGKILL");
    }
});
