import { dirname } from "node:path";
import { join } from "../../../agents/etcd/join/join";
import { planSchema } from "../../../agents/etcd/join/plan";
import { readPlan } from "../../../agents/harness/plan";

const [path = "", at] = process.argv.slice(2);

void join({
    plan: readPlan(path, planSchema),
    source: dirname(path),
    log: ({ step, event }) => {
        if (`${step}:${event}` === at) {
            process.kill(process.pid, "SIGKILL");
        }
    },
});
