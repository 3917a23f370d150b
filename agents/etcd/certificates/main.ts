import { dirname } from "node:path";
import { runAgent } from "../../harness/main";
import { readPlan } from "../../harness/plan";
import { planSchema } from "./plan";
import { renewMember } from "./renew";

async function main(path = ""): Promise<void> {
    await renewMember(readPlan(path, planSchema), dirname(path), (message) => console.log(message));
}

runAgent(main, { onSignal: "the next start resumes here", explained: [Error] });
