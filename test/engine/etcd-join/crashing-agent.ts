import { dirname } from "node:path";
import { join } from "../../../agents/etcd/join/join";
import { readPlan } from "../../../agents/etcd/join/plan";

const [path = "", at] = process.argv.slice(2);

void join({
    plan: readPlan(path),
    source: dirname(path),
    log: ({ step, event }) => {
        if (`${step}:${event}` === at) {
            process.kill(process.pid, "SIGKILL");
        }
    },
});
