import { runAgent } from "../../harness/main";
import { awaitName } from "./await-name";

/** A load balancer is ready within ten minutes, or Pulumi's provider gives up. */
const mostMilliseconds = 15 * 60_000;

async function main(name = "", domain = ""): Promise<string> {
    const patience = { deadline: performance.now() + mostMilliseconds, report: console.log };
    // After an error the kubelet retries as if the name existed.
    return awaitName({ name, domain }, patience).catch((error: Error) => error.message);
}

runAgent(main, { onSignal: "the next start tries again" });
