import { readPlan } from "../../../agents/harness/plan";
import { clean } from "../../../agents/nodes/demotion/clean";
import { planSchema } from "../../../agents/nodes/demotion/plan";

const [path = "", at] = process.argv.slice(2);

void clean({
    plan: readPlan(path, planSchema),
    steadyMilliseconds: 300,
    removedMilliseconds: 300,
    log: ({ step, event }) => {
        if (`${step}:${event}` === at) {
            process.kill(process.pid, "SIGKILL");
        }
    },
});
