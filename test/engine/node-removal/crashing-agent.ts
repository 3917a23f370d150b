import { readPlan } from "../../../agents/harness/plan";
import { planSchema } from "../../../agents/nodes/removal/plan";
import { removeNodes } from "../../../agents/nodes/removal/remove-nodes";

const [path = "", at] = process.argv.slice(2);

void removeNodes(readPlan(path, planSchema), ({ step, event }) => {
    if (`${step}:${event}` === at) {
        process.kill(process.pid, "SIGKILL");
    }
});
