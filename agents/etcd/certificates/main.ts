import { dirname } from "node:path";
import { runAgent } from "../../harness/main";
import { readPlan } from "./plan";
import { renewMember } from "./renew";

async function main(path = ""): Promise<void> {
    await renewMember(readPlan(path), dirname(path), (message) => console.log(message));
}

runAgent(main, { onSignal: "the next start resumes here", explained: [Error] });
