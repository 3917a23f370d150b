import { readRestorePlan } from "../../../agents/etcd/keeper/restore/plan";
import { restore } from "../../../agents/etcd/keeper/restore/restore";

const [path = "", at] = process.argv.slice(2);

void restore(readRestorePlan(path), ({ step, event }) => {
    if (`${step}:${event}` === at) {
        process.kill(process.pid, "SIGKILL");
    }
});
