import { dirname } from "node:path";
import { endOnSignals } from "../../harness/signals";
import { readPlan } from "./plan";
import { renewMember } from "./renew";

async function main(path: string): Promise<void> {
    await renewMember(readPlan(path), dirname(path), (message) => console.log(message));
}

endOnSignals("the next start resumes here");

main(process.argv[2] ?? "").catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
});
