import { readPlan } from "../../../agents/node-removal/read-plan";
import { removeNodes } from "../../../agents/node-removal/remove-nodes";

const [path = "", at] = process.argv.slice(2);

void removeNodes(readPlan(path), ({ step, event }) => {
    if (`${step}:${event}` === at) {
        process.kill(process.pid, "SIGKILL");
    }
});
