import { readPlan } from "../../../agents/etcd/update/read-plan";
import { update } from "../../../agents/etcd/update/update";

const [path = "", at] = process.argv.slice(2);

void update(readPlan(path), ({ step, event }) => {
    if (`${step}:${event}` === at) {
        process.kill(process.pid, "SIGKILL");
    }
});
