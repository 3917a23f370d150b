import { planSchema } from "../../../agents/etcd/update/plan";
import { update } from "../../../agents/etcd/update/update";
import { readPlan } from "../../../agents/harness/plan";

const [path = "", at] = process.argv.slice(2);

void update(readPlan(path, planSchema), ({ step, event }) => {
    if (`${step}:${event}` === at) {
        process.kill(process.pid, "SIGKILL");
    }
});
